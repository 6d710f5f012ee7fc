import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitImage, MAX_IMAGE_BYTES } from './fitImage.ts';
import { imageSize } from './imageHeader.ts';
import { decodePng, encodePng, type Pixels, shrinkPixels } from './png.ts';

const plain = (width: number, height: number, color = [10, 200, 30, 255]): Pixels => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 4 }, (_, index) => color[index % 4] ?? 0),
});

/** Incompressible, so that its size in bytes is known. */
function noise(width: number, height: number): Pixels {
  let state = 7;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  return {
    width,
    height,
    data: Uint8Array.from({ length: width * height * 4 }, (_, i) => (i % 4 === 3 ? 255 : next())),
  };
}

describe('fitImage', () => {
  it('leaves an image alone that fits', async () => {
    const bytes = encodePng(plain(20, 10));
    expect(await fitImage(bytes, 'image/png')).toEqual({ type: 'fits', bytes, mediaType: 'image/png' });
  });

  it('makes a PNG smaller that has too many pixels per side, in its shape', async () => {
    const fitted = await fitImage(encodePng(plain(9000, 90)), 'image/png');
    if (fitted.type !== 'fits') return expect.unreachable(fitted.why);
    expect(imageSize(fitted.bytes, 'image/png')).toEqual({ width: 2000, height: 20 });
    expect(fitted.note).toMatch(/^The image is 9000×90 pixels and .* MB and is shown at 2000×20 pixels\.$/);
    expect([...(decodePng(fitted.bytes)?.data.subarray(0, 4) ?? [])]).toEqual([10, 200, 30, 255]);
  });

  it('makes a PNG smaller until it has few enough bytes', async () => {
    const large = encodePng(noise(1500, 1400));
    expect(large.length).toBeGreaterThan(MAX_IMAGE_BYTES);
    const fitted = await fitImage(large, 'image/png');
    if (fitted.type !== 'fits') return expect.unreachable(fitted.why);
    expect(fitted.bytes.length).toBeLessThanOrEqual(MAX_IMAGE_BYTES);
  });

  it.each([
    ['image/jpeg', jpeg(9000, 10)],
    ['image/png', Buffer.concat([encodePng(plain(9000, 2)).subarray(0, 60)])],
    ['image/gif', Buffer.concat([Buffer.from('GIF89a'), Buffer.from([0x28, 0x23, 1, 0]), Buffer.alloc(20)])],
  ])('refuses what it cannot make smaller, with the limit: %s', async (mediaType, bytes) => {
    expect(await fitImage(bytes, mediaType)).toMatchObject({
      type: 'tooLarge',
      why: expect.stringMatching(
        /^is an image of 9000×\d+ pixels and .*more than a model accepts \(8000 pixels per side and 3\.75 MB\)/,
      ),
    });
  });
});

describe('a PNG', () => {
  it('is the same after encoding and decoding', () => {
    const pixels = noise(13, 7);
    expect(decodePng(encodePng(pixels))).toEqual(pixels);
  });

  it('of random bytes is refused, never thrown', () => {
    const head = encodePng(plain(3, 3)).subarray(0, 33);
    void fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        decodePng(Buffer.concat([head, bytes]));
        decodePng(Buffer.from(bytes));
      }),
    );
  });

  it('that claims a billion pixels is refused before they are made', () => {
    const bytes = encodePng(plain(3, 3));
    bytes.writeUInt32BE(40_000, 16);
    bytes.writeUInt32BE(40_000, 20);
    expect(decodePng(bytes)).toBeUndefined();
  });
});

it('shrinkPixels averages, and transparent pixels add no color', () => {
  const data = Uint8Array.from([255, 0, 0, 255, 0, 0, 255, 0]);
  expect([...shrinkPixels({ width: 2, height: 1, data }, 1, 1).data]).toEqual([255, 0, 0, 128]);
});

describe('imageSize', () => {
  it.each<[string, Buffer, object | undefined]>([
    ['image/jpeg', jpeg(640, 480), { width: 640, height: 480 }],
    ['image/gif', Buffer.concat([Buffer.from('GIF89a'), Buffer.from([4, 1, 2, 0])]), { width: 260, height: 2 }],
    ['image/webp', webp('VP8X', [0, 0, 0, 0, 99, 0, 0, 49, 0, 0]), { width: 100, height: 50 }],
    ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff]), undefined],
    ['image/png', Buffer.from([0x89]), undefined],
    ['image/tiff', Buffer.alloc(50), undefined],
  ])('of %s', (mediaType, bytes, size) => {
    expect(imageSize(bytes, mediaType)).toEqual(size);
  });
});

/** The head of a JPEG: an application segment, then a frame. */
function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc2, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2]), frame, Buffer.alloc(20)]);
}

function webp(kind: string, rest: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP'), Buffer.from(kind), Buffer.alloc(4), Buffer.from(rest)]);
}
