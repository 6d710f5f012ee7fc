import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { minifySync } from 'rolldown/utils';

/** Zod includes messages in fifty languages, half of what every start would load; we need one. */
export const oneLanguage = {
  name: 'one-language',
  load: {
    filter: { id: /zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ },
    handler: () => "export { default as en } from './en.js';",
  },
};

/** jsonc-parser builds 1,200 line breaks with indents when it is loaded, for the few files that it formats. */
export const noIndentCache = {
  name: 'no-indent-cache',
  transform: {
    filter: { id: /jsonc-parser[\\/]lib[\\/]esm[\\/]impl[\\/]string-intern\.js$/ },
    handler: (code) => ({ code: code.replace('maxCachedValues = 200', 'maxCachedValues = 0'), map: null }),
  },
};

const HEADERS = path.join(import.meta.dirname, '../src/models/http/headers.ts');

/**
 * AI SDK creates `Headers` for every request, and Node's own load undici at first use, which takes a third of the time from
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
 * Node's own modules as plain objects, one copy per importing file: if shared, all imported names would be in the first
 * chunk. The bundler's interop would enumerate each module with all that it loads on demand: node:fs loads readline,
 * node:util worker threads, node:http undici, and node:process opens stdin.
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

/** Loaded at the first call: they load streams, sockets and watchers, and only functions are imported from them. */
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

/**
 * Letters outside ASCII are escaped: a single one makes V8 keep and scan the whole file with two bytes per letter. They occur
 * only in strings, templates and regular expressions, where an escape means the same.
 */
export const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_, bundle) {
    const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === 'chunk') chunk.code = chunk.code.replaceAll(/[^\0-\x7f]/g, escaped);
    }
  },
};

const COPY = '?hook';

/**
 * The code that answers a tool call is copied into the hook's own bundle with all its imports: at every tool call two files
 * are opened instead of all shared chunks. `lazy` is the one file of the copy that is loaded on demand; all other modules
 * that are loaded on demand are shared.
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
  // short names only here: a quarter less to read at every tool call is worth a less readable stack
  renderChunk(code, chunk) {
    const isCopy = chunk.moduleIds.length > 0 && chunk.moduleIds.every((id) => id.endsWith(COPY));
    return isCopy ? minifySync(chunk.fileName, code, { mangle: { toplevel: true }, module: false }).code : null;
  },
});
