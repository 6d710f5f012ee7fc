import { existsSync } from 'node:fs';
import path from 'node:path';
import { build } from 'rolldown';
import { cacheFolder, REPOSITORY } from './cache.mjs';

/**
 * Where contestants import Stopgate from: the built library for its public parts, and for internal parts (the conversion of
 * a request) a bundle built like that of `npm run build`.
 */
export async function compileOurs() {
  const library = path.join(REPOSITORY, 'dist', 'index.cjs');
  if (!existsSync(library)) throw new Error(`${library} does not exist; run \`npm run build\` first.`);
  return { library, requests: await bundle('src/models/aiSdk/callOptions.ts', 'callOptions') };
}

/** One file of the repository with all its imports, as a module in the benches' cache. */
export async function bundle(entry, name) {
  const file = path.join(cacheFolder('ours'), `${name}.mjs`);
  await build({
    cwd: REPOSITORY,
    input: entry,
    platform: 'node',
    moduleTypes: { '.sql': 'text' },
    // its main file finds its parts in a way that no bundler follows; the build does the same
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
    logLevel: 'warn',
    output: { file, format: 'esm', codeSplitting: false },
  });
  return file;
}
