import path from 'node:path';

const SCRIPT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["'](\.{1,2}\/[^"'\n]+)["']/g;
const SCRIPT_ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '/index.js', '/index.ts'];
const PYTHON = /^[ \t]*(?:from[ \t]+\.?([A-Za-z_][\w.]*)[ \t]+import\b|import[ \t]+([A-Za-z_][\w., \t]*))/gm;

/** Modules of the same project that a script loads by name: for each the files that it can be, the preferred one first. */
export function localModules(text: string, file: string): readonly (readonly string[])[] {
  const folder = path.dirname(file);
  const isOf = (ending: RegExp, program: RegExp) => ending.test(file) || program.test(text.slice(0, 200));
  if (isOf(/\.[cm]?[jt]sx?$/, /^#!.*\b(?:node|bun|deno|tsx)\b/)) {
    return [...text.matchAll(SCRIPT)].map(([, name = '']) => scriptFiles(path.resolve(folder, name)));
  }
  if (!isOf(/\.py$/, /^#!.*\bpython/)) return [];
  const names = [...text.matchAll(PYTHON)].flatMap(([, from, all = '']) => from ?? all.split(/[\s,]+/));
  const plain = new Set(names.filter((name) => /^[A-Za-z_][\w.]*$/.test(name) && name !== 'as'));
  return [...plain].map((name) => {
    const place = path.join(folder, ...name.split('.'));
    return [path.join(place, '__init__.py'), `${place}.py`];
  });
}

/** A name with an ending is that file; TypeScript names `x.ts` by `x.js`. */
function scriptFiles(target: string): readonly string[] {
  if (!/\.(?:[cm]?[jt]sx?|json)$/.test(target)) return [target, ...SCRIPT_ENDINGS.map((ending) => target + ending)];
  return [target, ...(/\.[cm]?jsx?$/.test(target) ? [target.replace(/js(x?)$/, 'ts$1')] : [])];
}
