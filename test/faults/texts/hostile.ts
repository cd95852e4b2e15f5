// Short manifests with the mistakes that people, templates and adversaries make, for edits to repeat.

const HEAD = 'version: 1\nstack: shop\n';

export const HOSTILE: readonly string[] = [
  '  reserved_addrs: { a: {} }\n',
  'reserved_addrs:\n  a: { region: [1] }\n',
  'reserved_addrs:\n  a:\n    regoin: eu\n',
  'reserved_addr: { a: 1 }\n',
  'reserved_addrs: { a: { region: eu }, b: { description: "x" }, c: { }\n',
  'outputs:\n  o: "${reserved_addrs.b.addr} ${var.x} ${file:x} ${"\n',
  'variables:\n  x: { default: "${y}", sensitive: maybe }\noutputs:\n  o: "${var.y}"\n',
  'moved:\n  - { from: tls_edges.a, to: tls_edges.b }\n  - { from: tls_edges.c., to: 1 }\nremoved:\n  - { from: tls_edges.a }\n',
  'failover_backends:\n  a1: { backends: ["${failover_backends.a2.id}"] }\n  a2: { backends: ["${failover_backends.a1.id}"] }\n',
  'tls_edges:\n  a1: { hostports: [a.example.com:443] }\n  a2: { hostports: [a.example.com:443] }\n',
  'imports:\n  i: { stack: b }\n  j: { kind: tls_edge, id: x }\n',
  'reserved_addrs:\n  a: &a { region: eu }\n  b: *a\n  c: *b\n  <<: *a\n',
  'reserved_addrs:\n  a:\n    metadata: |\n      edgeform/v1 {\n    lifecycle: { ignore_changes: [regoin], id: x, adopt: y }\n',
  'presets:\n  p: { region: eu, preset: q }\n  q: { routes: { r: { without: [x] } } }\nreserved_addrs:\n  a: { preset: [p, q, z], without: [region, "", 5] }\n  b: { preset: { p: 1 } }\n',
  'presets: { p: { request_headers: { add: { a: "1" } } } }\nhttps_edges:\n  e: { preset: p, routes: { r: { preset: p, without: [request_headers.add.a] }, s: 5 } }\nwithout: [https_edges.e.routes.s, presets]\n',
  'x: !foo y\n? [a]\n: 1\n1: 2\n{{ x }}: {{ y }}\n',
  'x: "a\n  b\ny: \'c\nz: [1, {a: 2\n',
  'x: |\n  text\n   more\n  end\ny: >-\n  folded\n\n  text\n',
  '---\na: 1\n...\n---\nb: 2\n%YAML 1.2\n',
  '\tx: 1\n  y:\n z: 2\n]\n}\n- 1\n',
].map((text) => `${HEAD}${text}`);
