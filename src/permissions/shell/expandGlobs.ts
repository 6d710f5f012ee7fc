import { resolve } from 'node:path';
import { bashPattern, type PatternReading } from './bashPattern.ts';

const MAX_LENGTH = 200;
const MAX_FOUND = 5000;
/** An innermost list; what a backslash quotes is not a part of it. */
const BRACES = /(?<!\\)\{((?:\\.|[^{}\\])*,(?:\\.|[^{}\\])*)\}/s;
const COUNTED = /(?<!\\)\{[^{}]*\.\.[^{}]*\}/;

/**
 * What bash may make of a word with `*`, `?`, `[` or braces, itself included; undefined when it is too much to tell.
 * Quoted characters have a backslash before them (`patternOf`).
 */
export function expandGlobs(
  pattern: string,
  folder: string,
  names: (folder: string) => readonly string[],
  reading: PatternReading,
): readonly string[] | undefined {
  if (pattern.length > MAX_LENGTH || (reading.wide && /\*\*/.test(pattern))) return undefined;
  const found: string[] = [];
  for (const word of expandBraces(pattern) ?? [undefined]) {
    const paths = word === undefined ? undefined : expandPath(word);
    if (paths === undefined || found.length > MAX_FOUND) return undefined;
    found.push(...paths);
  }
  return [unquoted(pattern), ...found];

  function expandPath(word: string): readonly string[] | undefined {
    let paths: readonly string[] = [word.startsWith('/') ? '/' : ''];
    const segments = word.split('/').filter((name) => name !== '');
    for (const [at, segment] of segments.entries()) {
      if (/[*?[]/.test(segment)) {
        // bash before 5.2 takes `.*/x` for `../x` as well
        const parent = segment.startsWith('.') && at < segments.length - 1 ? ['..'] : [];
        const fits = bashPattern(segment, reading);
        paths = paths.flatMap((path) =>
          [...names(resolve(folder, path)), ...parent].filter((name) => fits(name)).map((name) => under(path, name)),
        );
      } else paths = paths.map((path) => under(path, unquoted(segment)));
      if (paths.length > MAX_FOUND) return undefined;
    }
    return paths;
  }
}

function unquoted(pattern: string): string {
  return pattern.replaceAll(/\\(.)/gs, '$1');
}

function expandBraces(text: string): readonly string[] | undefined {
  let words = [text];
  while (words.some((word) => BRACES.test(word))) {
    words = words.flatMap((word) => {
      const match = BRACES.exec(word);
      if (!match) return [word];
      const [before, after] = [word.slice(0, match.index), word.slice(match.index + match[0].length)];
      return (match[1] ?? '').split(/(?<!\\),/).map((choice) => before + choice + after);
    });
    if (words.length > MAX_FOUND) return undefined;
  }
  // `{a..z}` counts; few write it, and what it makes is not worth the rules.
  return words.some((word) => COUNTED.test(word)) ? undefined : words;
}

/** Not joined where `..` is: what a link's parent is, is known only when the link is followed. */
function under(path: string, name: string): string {
  return path === '' ? name : path.endsWith('/') ? path + name : `${path}/${name}`;
}
