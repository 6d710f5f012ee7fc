import { type ImageSize, imageSize } from './imageHeader.ts';

/** The limits of providers: 5 MB as base64, 8000 pixels per side. */
export const MAX_IMAGE_BYTES = 3_750_000;
const MAX_IMAGE_SIDE = 8000;
/** Providers shrink larger images themselves. */
const SHRUNK_SIDES = [2000, 1400, 1000, 700];

type FittedImage =
  | { readonly type: 'fits'; readonly bytes: Buffer; readonly mediaType: string; readonly note?: string }
  /** `why` follows the file's name. */
  | { readonly type: 'tooLarge'; readonly why: string };

/** An image that a provider accepts: unchanged, shrunk, or why not. */
export async function fitImage(bytes: Buffer, mediaType: string): Promise<FittedImage> {
  const size = imageSize(bytes, mediaType);
  if (!isTooLarge(bytes, size)) return { type: 'fits', bytes, mediaType };
  const shrunk = mediaType === 'image/png' ? await shrink(bytes) : undefined;
  if (shrunk) {
    const note = `The image is ${described(bytes, size)} and is shown at ${shrunk.width}×${shrunk.height} pixels.`;
    return { type: 'fits', bytes: shrunk.bytes, mediaType: 'image/png', note };
  }
  const limit = `${MAX_IMAGE_SIDE} pixels per side and ${megabytes(MAX_IMAGE_BYTES)}`;
  const why = `is an image of ${described(bytes, size)}, more than a model accepts (${limit}). Create a smaller copy first, for example with \`magick IN -resize 2000x2000 OUT\`, and read that.`;
  return { type: 'tooLarge', why };
}

function isTooLarge(bytes: Buffer, size: ImageSize | undefined): boolean {
  return bytes.length > MAX_IMAGE_BYTES || Math.max(size?.width ?? 0, size?.height ?? 0) > MAX_IMAGE_SIDE;
}

/** Loads its code only when needed, which is rare. */
async function shrink(bytes: Buffer): Promise<(ImageSize & { readonly bytes: Buffer }) | undefined> {
  const { decodePng, encodePng, shrinkPixels } = await import('./png.ts');
  const pixels = decodePng(bytes);
  if (!pixels) return undefined;
  for (const side of SHRUNK_SIDES) {
    const scale = Math.min(1, side / Math.max(pixels.width, pixels.height));
    const width = Math.max(1, Math.round(pixels.width * scale));
    const height = Math.max(1, Math.round(pixels.height * scale));
    const made = encodePng(scale === 1 ? pixels : shrinkPixels(pixels, width, height));
    if (made.length <= MAX_IMAGE_BYTES) return { bytes: made, width, height };
  }
  return undefined;
}

function described(bytes: Buffer, size: ImageSize | undefined): string {
  const sides = size ? `${size.width}×${size.height} pixels and ` : '';
  return `${sides}${megabytes(bytes.length)}`;
}

const megabytes = (count: number) => `${(count / 1_000_000).toFixed(2).replace(/\.?0+$/, '')} MB`;
