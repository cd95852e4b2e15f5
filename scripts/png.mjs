// A picture of a page has few colours: with a palette of them it is a third as large.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const COLOURS = 256;

/** The same picture with at most 256 colours: of those that are nearly the same the most frequent one. */
export function withPalette(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = { 2: 3, 6: 4 }[png[25]];
  if (png[24] !== 8 || channels === undefined || png[28] !== 0) throw new Error('not a picture as Chromium makes them');
  const pixels = colours(rows(png, width * channels, channels), channels);
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const frequent = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a));
  let palette = frequent;
  for (let step = 2; palette.length > COLOURS; step *= 1.2) {
    const kept = new Map();
    for (const colour of frequent) {
      const near = parts(colour)
        .map((part) => Math.round(part / step))
        .join();
      if (!kept.has(near)) kept.set(near, colour);
    }
    palette = [...kept.values()];
  }
  const numbers = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const lines = Buffer.alloc((width + 1) * height);
  pixels.forEach((colour, at) => (lines[at + 1 + Math.floor(at / width)] = numbers.get(colour)));
  const header = Buffer.from(png.subarray(16, 29));
  header[9] = 3;
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => parts(colour)))),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

function nearest(palette, colour) {
  const exact = palette.indexOf(colour);
  if (exact >= 0) return exact;
  const wanted = parts(colour);
  const distances = palette.map((one) => parts(one).reduce((sum, part, at) => sum + (part - wanted[at]) ** 2, 0));
  return distances.indexOf(Math.min(...distances));
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** The bytes of all pixels, without the filters of their lines. */
function rows(png, stride, channels) {
  const data = [];
  for (let at = 8; at < png.length;) {
    const end = at + 12 + png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, end - 4));
    at = end;
  }
  const raw = inflateSync(Buffer.concat(data));
  const out = Buffer.alloc((raw.length / (stride + 1)) * stride);
  for (let line = 0; line * stride < out.length; line++) {
    const filter = raw[line * (stride + 1)];
    for (let at = 0; at < stride; at++) {
      const here = line * stride + at;
      const left = at < channels ? 0 : out[here - channels];
      const up = line === 0 ? 0 : out[here - stride];
      const corner = line === 0 || at < channels ? 0 : out[here - stride - channels];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[here] = raw[line * (stride + 1) + 1 + at] + guess;
    }
  }
  return out;
}

function paeth(left, up, corner) {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function colours(bytes, channels) {
  return Array.from({ length: bytes.length / channels }, (_, at) => bytes.readUIntBE(at * channels, 3));
}
