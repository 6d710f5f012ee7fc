import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { minifySync } from 'rolldown/utils';

/** Zod brings its messages in fifty languages; ours are written in one. Half of what every start would load. */
export const oneLanguage = {
  name: 'one-language',
  load: {
    filter: { id: /zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ },
    handler: () => "export { default as en } from './en.js';",
  },
};

const HEADERS = path.join(import.meta.dirname, '../src/models/http/headers.ts');

/**
 * AI SDK makes `Headers` for every request, and Node's own load undici at their first use: a third of the time from
 * start to first request. Its packages get ours; every other dependency keeps the global.
 */
export const lightHeaders = {
  name: 'light-headers',
  transform: {
    filter: { id: /[\\/]node_modules[\\/]@ai-sdk[\\/][^\\/]+[\\/]dist[\\/].*\.m?js$/ },
    handler: (code) => ({ code: `import { Headers } from ${JSON.stringify(HEADERS)};${code}`, map: null }),
  },
};

const BUILTIN = '\0builtin:';

/**
 * Node's own modules as plain objects, a copy for each file that imports one: shared, all names that any file imports would
 * be in the first chunk. Through the bundler's interop, each is enumerated with all that it only loads on
 * demand: node:fs loads readline, node:util worker threads, node:http undici, and node:process opens stdin.
 */
export const plainBuiltins = {
  name: 'plain-builtins',
  resolveId: {
    filter: { id: /^(node:)?[a-z_0-9/]+$/ },
    handler(name, importer, { kind }) {
      if (!isBuiltin(name)) return null;
      const id = name.replace(/^(node:)?/, 'node:');
      if (kind !== 'import-statement') return { id, external: true };
      return { id: `${BUILTIN}${id}?${importer}`, moduleSideEffects: false };
    },
  },
  load: {
    filter: { id: /^\0builtin:/ },
    handler: (id) => ({ code: plainModule(id.slice(BUILTIN.length, id.indexOf('?'))), moduleSideEffects: false }),
  },
};

/** Loaded at the first call: they bring streams, sockets and watchers along, and what is imported of them are functions. */
const ON_FIRST_CALL = new Set(['node:child_process', 'node:crypto', 'node:fs/promises', 'node:net', 'node:os']);

/** The bundler keeps only the names that are imported, so only these are looked up. */
function plainModule(name) {
  const module = process.getBuiltinModule(name);
  const names = Object.keys(module).filter((word) => /^\w+$/.test(word) && word !== 'default');
  const load = `process.getBuiltinModule('${name}')`;
  const isLazy = ON_FIRST_CALL.has(name);
  const isCalled = (word) => isLazy && typeof module[word] === 'function' && /^[a-z]/.test(word);
  const value = (word) =>
    isCalled(word) ? `(...values) => ${load}.${word}(...values)` : `/* @__PURE__ */ pick('${word}')`;
  return [
    isLazy ? `const pick = (name) => ${load}[name];` : `const builtin = ${load}; const pick = (name) => builtin[name];`,
    `export default ${isLazy ? lazyObject(names, load) : 'builtin'};`,
    ...names.map((word) => `const ${word}_ = ${value(word)}; export { ${word}_ as ${word} };`),
  ].join('\n');
}

const lazyObject = (names, load) =>
  `{ ${names.map((word) => `get ${word}() { return ${load}.${word}; }`).join(', ')} }`;

const COPY = '?hook';

/**
 * What answers a tool call is copied into the hook's own bundle, with all that it imports: two files to open instead of one
 * for each chunk that it would share with the rest, at every tool call of an agent. `lazy` is the one file of the copy that is
 * loaded on demand; everything else that is loaded on demand is shared.
 */
export const hookCopy = ({ lazy }) => ({
  name: 'hook-copy',
  resolveId(source, importer, { kind }) {
    if (!importer?.endsWith(COPY) || !source.startsWith('.')) return null;
    const file = path.resolve(path.dirname(importer), source);
    return kind === 'dynamic-import' && path.basename(file) !== lazy ? file : file + COPY;
  },
  load: {
    filter: { id: /^[^\0].*\?hook$/ },
    handler: (id) => ({ code: readFileSync(id.slice(0, -COPY.length), 'utf8'), moduleType: 'ts' }),
  },
  // short names here alone: a quarter less to read and check at every tool call is worth a stack that needs the build to read it
  renderChunk(code, chunk) {
    const isCopy = chunk.moduleIds.length > 0 && chunk.moduleIds.every((id) => id.endsWith(COPY));
    return isCopy ? minifySync(chunk.fileName, code, { mangle: { toplevel: true }, module: false }).code : null;
  },
});
