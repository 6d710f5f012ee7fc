import path from 'node:path';
import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import { textIn } from '../../system/readTextFile.ts';

const LARGEST_PACKAGE = 1_000_000;

/**
 * Scripts that an interpreter finds by a word that is not a file's name: `node .`, `node run`, `python3 -m tools.check`, `python3 tools`.
 * Each list is in the order of trying: the first one that exists runs.
 */
export function implicitScripts(
  interpreter: string,
  words: readonly string[],
  folder: string,
): readonly (readonly string[])[] {
  if (/^(?:python[\d.]*|pypy3?)$/.test(interpreter)) return pythonScripts(words, folder);
  if (!/^(?:node|nodejs|bun|tsx|ts-node)$/.test(interpreter)) return [];
  return words.filter((word) => !word.startsWith('-')).map((word) => nodeScripts(path.resolve(folder, word)));
}

function pythonScripts(words: readonly string[], folder: string): readonly (readonly string[])[] {
  const at = words.indexOf('-m');
  const module = at === -1 ? undefined : words[at + 1];
  if (module !== undefined) {
    const place = path.resolve(folder, module.replaceAll('.', path.sep));
    return [[path.join(place, '__main__.py'), `${place}.py`]];
  }
  const [first] = words.filter((word) => !word.startsWith('-'));
  return first === undefined ? [] : [[path.join(path.resolve(folder, first), '__main__.py')]];
}

/** As Node resolves the script it is given. */
function nodeScripts(place: string): readonly string[] {
  const manifest = jsonValue(textIn(path.join(place, 'package.json'), LARGEST_PACKAGE));
  const main = isObject(manifest) && typeof manifest.main === 'string' ? [path.join(place, manifest.main)] : [];
  return [`${place}.js`, ...main, ...main.map((one) => `${one}.js`), path.join(place, 'index.js')];
}

/** What a makefile reads: `include common.mk`. */
export const includedFiles = (text: string, file: string): readonly string[] =>
  [...text.matchAll(/^[-s]?include[ \t]+(.+)$/gm)]
    .flatMap(([, words = '']) => words.split(/\s+/))
    .filter((word) => word !== '' && !/[$*?#]/.test(word))
    .map((word) => path.resolve(path.dirname(file), word));
