import type { Pixels } from './png.ts';

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
