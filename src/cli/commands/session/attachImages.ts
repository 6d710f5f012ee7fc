import { existsSync } from 'node:fs';
import path from 'node:path';

/** A path as a terminal pastes a dropped file: quoted, with escaped blanks, or plain; not after an `@`. */
const IMAGE_PATH = /(?<![\S])(?:'([^'\n]+)'|"([^"\n]+)"|((?:\\.|[^\s\\'"@])(?:\\.|[^\s\\'"])*))(?=\s|$)/g;
const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

/** Names image files that a prompt mentions with `@`, so that the model sees them. */
export function attachImages(prompt: string, folder: string, isFile: (file: string) => boolean = existsSync): string {
  return prompt.replace(IMAGE_PATH, (written, single?: string, double?: string, plain?: string) => {
    const name = single ?? double ?? plain?.replace(/\\(.)/g, '$1') ?? '';
    if (!IMAGE.test(name) || !isFile(path.resolve(folder, name))) return written;
    return /\s/.test(name) ? `@"${name}"` : `@${name}`;
  });
}
