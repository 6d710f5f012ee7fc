// Compiles src/ to dist/: one graph of CommonJS chunks for what runs, declarations for what is imported. CommonJS, because
// hosts start `hook` at every event: requiring a chunk takes half the time of importing it.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { lightHeaders, oneLanguage, plainBuiltins } from './bundlePlugins.mjs';

const root = path.join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/**
 * What starts often, hottest first: all that the named files import statically is one chunk, less what an earlier chunk
 * has. Left to itself, code that several parts share becomes a file for each set of them, and a start opens every one.
 */
const HOT_PATHS = [
  { name: 'start', files: ['src/cli/hook/hookMain.ts'] },
  { name: 'tool-events', files: ['src/cli/hook/toolEvents.ts'] },
];

const entries = {
  cli: 'src/cli/main.ts',
  hook: 'src/cli/hook/hookMain.ts',
  index: 'src/index.ts',
  testing: 'src/testing/index.ts',
};

const reach = new Map();
const hotPaths = {
  name: 'hot-paths',
  buildEnd() {
    const follow = (id, seen) => {
      if (seen.has(id)) return seen;
      seen.add(id);
      for (const next of this.getModuleInfo(id)?.importedIds ?? []) follow(next, seen);
      return seen;
    };
    for (const { name, files } of HOT_PATHS) {
      const seen = new Set();
      for (const file of files) {
        const id = path.join(root, file);
        if (!this.getModuleInfo(id)) throw new Error(`${file} is not part of the bundle: correct HOT_PATHS`);
        follow(id, seen);
      }
      // the bundler's own few lines, which every chunk needs
      if (reach.size === 0) seen.add('\0rolldown/runtime.js');
      reach.set(name, seen);
    }
  },
};

rmSync(path.join(root, 'dist'), { recursive: true, force: true });
const graph = await rolldown({
  cwd: root,
  platform: 'node',
  input: entries,
  // brings a binary that must be found on disk
  external: ['@vscode/ripgrep'],
  plugins: [oneLanguage, lightHeaders, plainBuiltins, hotPaths],
  // its main file hides what it requires from a bundler
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' }, conditionNames: ['import', 'node', 'default'] },
  transform: { target: 'node24', define: { STOPGATE_VERSION: JSON.stringify(version) } },
});
const isEntry = new Set(Object.values(entries).map((file) => path.join(root, file)));
await graph.write({
  dir: path.join(root, 'dist'),
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name].cjs',
  // names stay: stack traces must be readable without source maps
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  comments: false,
  topLevelVar: true,
  codeSplitting: {
    groups: HOT_PATHS.map(({ name }, at) => ({
      name,
      test: (id) => reach.get(name).has(id) && !isEntry.has(id),
      priority: HOT_PATHS.length - at,
    })),
  },
});

const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
const { bin } = JSON.parse(readFileSync(tsc, 'utf8'));
const command = path.join(path.dirname(tsc), typeof bin === 'string' ? bin : bin.tsc);
const declarations = '--noEmit false --emitDeclarationOnly --declaration --rootDir src --outDir dist/types';
execFileSync(process.execPath, [command, ...declarations.split(' '), '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
