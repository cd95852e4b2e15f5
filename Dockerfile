# The published package, exactly as npm would unpack it, on Node without a shell or a package manager. Build from a folder with the
# tarball: npm run build && npm pack && docker build --build-arg VERSION=0.1.0 .
# A release replaces the tag with the digest that it was tested with (--build-arg BASE=...@sha256:...).
ARG BASE=gcr.io/distroless/nodejs22-debian12:nonroot
FROM ${BASE}

ARG VERSION
LABEL org.opencontainers.image.title="edgeform" \
      org.opencontainers.image.description="Declarative reconciler for the Edge Ingress Management API" \
      org.opencontainers.image.source="https://github.com/edgeform/edgeform" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}"

# The package has no dependencies, so nothing is installed. A tarball is unpacked, into /package.
ADD edgeform-${VERSION}.tgz /

# Mount the manifest here. Nothing else is written: run it with --read-only, and with --journal elsewhere if this is read-only, too.
WORKDIR /work
USER 65532:65532
ENTRYPOINT ["/nodejs/bin/node", "/package/dist/cli.js"]
CMD ["--help"]
