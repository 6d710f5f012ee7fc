import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';

/** Zod brings its messages in fifty languages; ours are written in one. Half of what every start would load. */
export const oneLanguage = {
  name: 'one-language',
  setup: ({ onLoad }) =>
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    })),
};

const HEADERS = path.join(import.meta.dirname, '../src/models/http/headers.ts');

/**
 * AI SDK makes `Headers` for every request, and Node's own load undici at their first use: a third of the time from
 * start to first request. Its packages get ours; every other dependency keeps the global.
 */
export const lightHeaders = {
  name: 'light-headers',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]node_modules[\\/]@ai-sdk[\\/][^\\/]+[\\/]dist[\\/].*\.m?js$/ }, async ({ path: file }) => ({
      // On the first line, so that source maps still point at the right ones.
      contents: `import { Headers } from ${JSON.stringify(HEADERS)};${await readFile(file, 'utf8')}`,
      loader: 'js',
    })),
};

/**
 * Node's own modules as plain objects. Imported as modules, each is enumerated with all that it only loads on demand:
 * node:fs loads readline, node:util worker threads, node:http undici, and node:process opens stdin.
 */
export const plainBuiltins = {
  name: 'plain-builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(node:)?[a-z_0-9/]+$/ }, ({ path: name, kind }) => {
      if (kind !== 'import-statement' || !isBuiltin(name)) return undefined;
      return { path: name.replace(/^(node:)?/, 'node:'), namespace: 'builtin', sideEffects: false };
    });
    onLoad({ filter: /^/, namespace: 'builtin' }, ({ path: name }) => ({ contents: plainModule(name), loader: 'js' }));
  },
};

/** Loaded at the first call: they bring streams, readline and watchers along, and what is imported of them are functions. */
const ON_FIRST_CALL = new Set(['node:fs/promises', 'node:crypto']);

/** Only the names that somebody imports are left by the bundler, so only they are looked up. */
function plainModule(name) {
  const names = Object.keys(process.getBuiltinModule(name)).filter((word) => /^\w+$/.test(word) && word !== 'default');
  const module = process.getBuiltinModule(name);
  const isCalled = (word) => ON_FIRST_CALL.has(name) && typeof module[word] === 'function' && /^[a-z]/.test(word);
  const load = `process.getBuiltinModule('${name}')`;
  const value = (word) =>
    isCalled(word) ? `(...asked) => ${load}.${word}(...asked)` : `/* @__PURE__ */ pick('${word}')`;
  return [
    `const builtin = ${ON_FIRST_CALL.has(name) ? '/* @__PURE__ */ ' : ''}${load};`,
    'const pick = (name) => builtin[name];',
    'export default builtin;',
    ...names.map((word) => `const ${word}_ = ${value(word)}; export { ${word}_ as ${word} };`),
  ].join('\n');
}

/** What is loaded on demand by that file name is another bundle's entry, found beside the chunk that asks for it. */
export const bundledApart = (fileName, bundle) => ({
  name: 'bundled-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\.ts$/ }, ({ path: name, kind }) =>
      kind === 'dynamic-import' && path.basename(name) === fileName ? { path: bundle, external: true } : undefined,
    ),
});
