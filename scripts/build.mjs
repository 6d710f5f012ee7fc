// Compiles src/ to dist/: bundles for what runs, declarations for what is imported. The command is bundled because it
// starts at every hook event; its parts stay separate files that load only when used.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { bundledApart, lightHeaders, oneLanguage, plainBuiltins } from './bundlePlugins.mjs';

const root = path.join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

const settings = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  target: 'node24',
  format: 'esm',
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: 'linked',
  // its main file hides what it requires from a bundler
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  loader: { '.sql': 'text' },
  // brings a binary that must be found on disk
  external: ['@vscode/ripgrep'],
  define: { STOPGATE_VERSION: JSON.stringify(version) },
  // some dependencies are CommonJS and call require() for Node's own modules
  banner: { js: 'const require=process.getBuiltinModule;' },
  plugins: [oneLanguage, lightHeaders, plainBuiltins],
  logLevel: 'warning',
};

rmSync(path.join(root, 'dist'), { recursive: true, force: true });
// Three times, although they share much: what is shared by some of the parts that load on demand becomes a file of its
// own for each set of them, and a start looks every one up. So `-p` has a bundle without the other commands.
const prompt = bundledApart('runPromptCommand.ts', './prompt.js');
await build({ ...settings, entryPoints: { cli: 'src/cli/main.ts' }, plugins: [prompt, ...settings.plugins] });
await build({ ...settings, entryPoints: { 'chunks/prompt': 'src/cli/commands/prompt/runPromptCommand.ts' } });
await build({ ...settings, entryPoints: { index: 'src/index.ts', testing: 'src/testing/index.ts' } });

// What hosts call at every tool call: CommonJS, because the module loader alone costs a tenth of a bare start, and tiny;
// what waits, runs and remembers is a second file beside it.
const script = { ...settings, format: 'cjs', splitting: false, outExtension: { '.js': '.cjs' }, banner: {} };
const slow = bundledApart('slowEvents.ts', './hook-slow.cjs');
await build({
  ...script,
  entryPoints: { hook: 'src/cli/commands/hook/hookMain.ts' },
  plugins: [slow, ...settings.plugins],
  sourcemap: false,
  // as require(): import() would start the module loader after all
  supported: { 'dynamic-import': false },
});
// the larger half of a broker: no claim and no hook ever serves a store
const serving = bundledApart('serveBroker.ts', './broker.cjs');
await build({ ...script, entryPoints: { broker: 'src/store/sqlite/broker/serveBroker.ts' }, sourcemap: false });
const postgres = bundledApart('postgresStore.ts', './hook-postgres.cjs');
const apart = [
  serving,
  bundledApart('checks.ts', './hook-checks.cjs'),
  bundledApart('askWorker.ts', './hook-worker.cjs'),
  postgres,
];
const hookParts = {
  'hook-slow': 'src/cli/commands/hook/slowEvents.ts',
  'hook-checks': 'src/stop/checks/checks.ts',
  'hook-worker': 'src/stop/worker/askWorker.ts',
  'hook-postgres': 'src/store/postgres/postgresStore.ts',
};
await build({
  ...script,
  entryPoints: hookParts,
  plugins: [...apart, ...settings.plugins],
  supported: { 'dynamic-import': false },
});
// Claims and settlements: asked in every turn of somebody's loop. What it cannot answer goes on in the whole command.
const whole = bundledApart('main.ts', './cli.js');
await build({
  ...script,
  entryPoints: { task: 'src/cli/commands/task/quick/taskMain.ts' },
  plugins: [whole, serving, postgres, ...settings.plugins],
  sourcemap: false,
});

// What the command asks before it loads anything else: whether its own folder is its user's alone.
await build({ ...script, entryPoints: { home: 'src/system/stopgateHome.ts' }, sourcemap: false });

const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
const { bin } = JSON.parse(readFileSync(tsc, 'utf8'));
const command = path.join(path.dirname(tsc), typeof bin === 'string' ? bin : bin.tsc);
const declarations = '--noEmit false --emitDeclarationOnly --declaration --rootDir src --outDir dist/types';
execFileSync(process.execPath, [command, ...declarations.split(' '), '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
