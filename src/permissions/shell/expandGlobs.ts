import { resolve } from 'node:path';
import picomatch from 'picomatch';

const MAX_LENGTH = 200;
const MAX_FOUND = 5000;
const BRACES = /\{([^{}]*,[^{}]*)\}/;

/** What bash may make of a word with `*`, `?`, `[` or braces, itself included; undefined when it is too much to tell. */
export function expandGlobs(
  text: string,
  folder: string,
  names: (folder: string) => readonly string[],
): readonly string[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const found: string[] = [];
  for (const word of expandBraces(text) ?? [undefined]) {
    const paths = word === undefined ? undefined : expandPath(word, folder, names);
    if (paths === undefined || found.length > MAX_FOUND) return undefined;
    found.push(...paths);
  }
  return [text, ...found];
}

function expandBraces(text: string): readonly string[] | undefined {
  let words = [text];
  while (words.some((word) => BRACES.test(word))) {
    words = words.flatMap((word) => {
      const match = BRACES.exec(word);
      if (!match) return [word];
      const [before, after] = [word.slice(0, match.index), word.slice(match.index + match[0].length)];
      return (match[1] ?? '').split(',').map((choice) => before + choice + after);
    });
    if (words.length > MAX_FOUND) return undefined;
  }
  // `{a..z}` counts; few write it, and what it makes is not worth the rules.
  return words.some((word) => /\{[^{}]*\.\.[^{}]*\}/.test(word)) ? undefined : words;
}

function expandPath(
  word: string,
  folder: string,
  names: (folder: string) => readonly string[],
): readonly string[] | undefined {
  let paths: readonly string[] = [word.startsWith('/') ? '/' : ''];
  const segments = word.split('/').filter((name) => name !== '');
  for (const [at, segment] of segments.entries()) {
    if (/[*?[]/.test(segment)) {
      // bash before 5.2 takes `.*/x` for `../x` as well
      const parent = segment.startsWith('.') && at < segments.length - 1 ? ['..'] : [];
      const fits = picomatch(segment, { nonegate: true, noextglob: true });
      paths = paths.flatMap((path) =>
        [...names(resolve(folder, path)), ...parent].filter((name) => fits(name)).map((name) => under(path, name)),
      );
    } else paths = paths.map((path) => under(path, segment));
    if (paths.length > MAX_FOUND) return undefined;
  }
  return paths;
}

/** Not joined where `..` is: what a link's parent is, is known only when the link is followed. */
function under(path: string, name: string): string {
  return path === '' ? name : path.endsWith('/') ? path + name : `${path}/${name}`;
}
