import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Pixels with eight bits per channel: red, green, blue, alpha. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** More would need half a gigabyte of memory to shrink. */
const MAX_PIXELS = 64_000_000;
/** Samples per pixel, by color type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

type Header = NonNullable<ReturnType<typeof readHeader>>;

/** The pixels of a PNG; undefined when it is interlaced, damaged or too large. */
export function decodePng(bytes: Buffer): Pixels | undefined {
  try {
    const { header, palette, transparency, packed } = readChunks(bytes);
    if (!header) return undefined;
    const rowBytes = Math.ceil((header.width * header.samples * header.depth) / 8);
    const raw = inflateSync(Buffer.concat(packed), { maxOutputLength: (rowBytes + 1) * header.height });
    if (raw.length < (rowBytes + 1) * header.height) return undefined;
    unfilter(raw, rowBytes, Math.max(1, (header.samples * header.depth) >> 3), header.height);
    return toRgba(raw, rowBytes, { ...header, palette, transparency });
  } catch {
    return undefined;
  }
}

function readChunks(bytes: Buffer) {
  let header: Header | undefined;
  let palette = Buffer.alloc(0);
  let transparency = Buffer.alloc(0);
  const packed: Buffer[] = [];
  for (let at = 8; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = readHeader(data);
    if (type === 'PLTE') palette = Buffer.from(data);
    if (type === 'tRNS') transparency = Buffer.from(data);
    if (type === 'IDAT') packed.push(data);
    if (type === 'IEND') break;
    at += 12 + length;
  }
  return { header, palette, transparency, packed };
}

function readHeader(data: Buffer) {
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [depth = 0, colorType = -1, , , interlaced = 1] = data.subarray(8, 13);
  const samples = SAMPLES[colorType];
  if (samples === undefined || interlaced !== 0 || width * height > MAX_PIXELS) return undefined;
  return { width, height, depth, colorType, samples };
}

/** Reverses the filter of each row, in place; the filter's byte stays before its row. */
function unfilter(raw: Buffer, rowBytes: number, pixelBytes: number, height: number): void {
  for (let row = 0; row < height; row++) {
    const start = row * (rowBytes + 1) + 1;
    const filter = raw[start - 1] ?? 0;
    if (filter === 0) continue;
    for (let column = 0; column < rowBytes; column++) {
      const at = start + column;
      const left = column >= pixelBytes ? (raw[at - pixelBytes] ?? 0) : 0;
      const up = row > 0 ? (raw[at - rowBytes - 1] ?? 0) : 0;
      const upLeft = row > 0 && column >= pixelBytes ? (raw[at - rowBytes - 1 - pixelBytes] ?? 0) : 0;
      raw[at] = (raw[at] ?? 0) + predicted(filter, left, up, upLeft);
    }
  }
}

function predicted(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const estimate = left + up - upLeft;
  const [toLeft, toUp, toUpLeft] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - upLeft)];
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

type Colors = Header & Pick<ReturnType<typeof readChunks>, 'palette' | 'transparency'>;

function toRgba(raw: Buffer, rowBytes: number, colors: Colors): Pixels {
  const { width, height, samples, colorType } = colors;
  const data = new Uint8Array(width * height * 4);
  const isGray = colorType === 0 || colorType === 4;
  for (let row = 0, to = 0; row < height; row++) {
    const start = row * (rowBytes + 1) + 1;
    for (let column = 0; column < width; column++, to += 4) {
      const sample = (index: number) => sampleAt(raw, start, column * samples + index, colors);
      if (colorType === 3) {
        const entry = sample(0);
        for (let channel = 0; channel < 3; channel++) data[to + channel] = colors.palette[entry * 3 + channel] ?? 0;
        data[to + 3] = colors.transparency[entry] ?? 255;
        continue;
      }
      for (let channel = 0; channel < 3; channel++) data[to + channel] = sample(isGray ? 0 : channel);
      data[to + 3] = colorType >= 4 ? sample(samples - 1) : 255;
    }
  }
  return { width, height, data };
}

/** One sample as eight bits; a palette entry unchanged. */
function sampleAt(raw: Buffer, start: number, index: number, { depth, colorType }: Header): number {
  if (depth === 8) return raw[start + index] ?? 0;
  if (depth === 16) return raw[start + index * 2] ?? 0;
  const bit = index * depth;
  const mask = (1 << depth) - 1;
  const value = ((raw[start + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & mask;
  return colorType === 3 ? value : Math.round((value * 255) / mask);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const RGBA = 6;

export function encodePng({ width, height, data }: Pixels): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, RGBA, 0, 0, 0], 8);
  const packed = deflateSync(filtered(data, width * 4, height), { level: 8 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))]);
}

/** Each row as its difference from the one above: simple, and good for screenshots. */
function filtered(data: Uint8Array, rowBytes: number, height: number): Buffer {
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let row = 0; row < height; row++) {
    const to = row * (rowBytes + 1);
    rows[to] = 2;
    for (let column = 0; column < rowBytes; column++) {
      const from = row * rowBytes + column;
      rows[to + 1 + column] = (data[from] ?? 0) - (row > 0 ? (data[from - rowBytes] ?? 0) : 0);
    }
  }
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Shrinks an image: each new pixel is the average of those it covers, weighted by opacity. */
export function shrinkPixels(source: Pixels, width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 4);
  const columns = edges(source.width, width);
  const rows = edges(source.height, height);
  for (let row = 0, to = 0; row < height; row++) {
    for (let column = 0; column < width; column++, to += 4) {
      const [left = 0, right = 0] = [columns[column], columns[column + 1]];
      const [top = 0, bottom = 0] = [rows[row], rows[row + 1]];
      data.set(average(source, { left, right, top, bottom }), to);
    }
  }
  return { width, height, data };
}

/** The edges of `count` equal parts of a length. */
function edges(length: number, count: number): number[] {
  return Array.from({ length: count + 1 }, (_, index) => Math.floor((index * length) / count));
}

type Area = Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;

function average({ width, data }: Pixels, { left, right, top, bottom }: Area): number[] {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let row = top; row < bottom; row++) {
    for (let at = (row * width + left) * 4; at < (row * width + right) * 4; at += 4) {
      const opacity = data[at + 3] ?? 0;
      red += (data[at] ?? 0) * opacity;
      green += (data[at + 1] ?? 0) * opacity;
      blue += (data[at + 2] ?? 0) * opacity;
      alpha += opacity;
    }
  }
  if (alpha === 0) return [0, 0, 0, 0];
  const pixels = (right - left) * (bottom - top);
  return [Math.round(red / alpha), Math.round(green / alpha), Math.round(blue / alpha), Math.round(alpha / pixels)];
}
