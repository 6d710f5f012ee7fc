// Compiles src/ to dist/: one graph of CommonJS chunks to run, declarations for imports. CommonJS, because hosts start `hook`
// at every event, and requiring a chunk takes half the time of importing it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { allTools } from '../src/tools/allTools.ts';
import { toolDefinition } from '../src/tools/toolDefinition.ts';
import { isBuilt, recordBuilt } from './built.mjs';
import { asciiOnly, hookCopy, lightHeaders, noIndentCache, oneLanguage, plainBuiltins } from './bundlePlugins.mjs';
import { compileEarly } from './eagerFunctions.mjs';
import { rehearse } from './rehearse.mjs';

if (process.argv.includes('--if-changed') && isBuilt()) process.exit();

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

const toolSchemas = Object.fromEntries(allTools().map((tool) => [tool.name, toolDefinition(tool).inputSchema]));

const entries = {
  cli: 'src/cli/main.ts',
  hook: path.join(root, 'src/cli/commands/hook/hookMain.ts?hook'),
  index: 'src/index.ts',
  testing: 'src/testing/index.ts',
  gate: 'src/gate/index.ts',
  'agent-sdk': 'src/adapters/agentSdk.ts',
  'ai-sdk': 'src/adapters/aiSdk.ts',
  langchain: 'src/adapters/langchain.ts',
  mastra: 'src/adapters/mastra.ts',
  'openai-agents': 'src/adapters/openaiAgents/index.ts',
  pi: 'src/adapters/pi/index.ts',
};

/** Most used first; each has what no earlier chunk has. */
const HOT_CHUNKS = [
  ...['boot', 'common', 'shared', 'zod', 'checked', 'trusted', 'store-door', 'store', 'cli', 'slow-events', 'worker'],
  ...['tasks', 'output', 'world', 'settings', 'gates', 'proofs', 'parts', 'turn', 'pieces', 'session', 'done'],
];

/**
 * The chunks of commands that start often. By default, the bundler creates a file for every set of entries that share some
 * code, and a start opens each of them.
 */
function hotChunks(reach) {
  const slow = reach('src/cli/commands/hook/slowEvents.ts');
  const worker = reach('src/stop/worker/askWorker.ts');
  const cli = reach('src/cli/program.ts');
  const tasks = reach(
    'src/system/interrupts.ts',
    'src/cli/wiring/store/runTaskCommand.ts',
    'src/cli/commands/task/claim/runClaim.ts',
    'src/cli/commands/task/settle/runSettle.ts',
  );
  const store = worker.intersection(tasks).union(reach('src/store/sqlite/openFile.ts'));
  const world = reach('src/cli/commands/prompt/runPromptCommand.ts');
  const session = reach('src/cli/commands/prompt/runPrompt.ts', 'src/cli/commands/prompt/output/chooseOutput.ts');
  const checks = reach('src/stop/checks/checks.ts');
  // of a session of Claude Code, at a stop
  const settings = reach('src/cli/wiring/readSettings.ts', 'src/hosts/claudeCode/demand.ts');
  const library = reach('src/index.ts');
  const smaller = reach(
    'src/stop/checks/checks.ts',
    'src/cli/commands/hooks/list/runList.ts',
    'src/cli/commands/init/runInit.ts',
    'src/cli/commands/launch/runLaunch.ts',
    'src/cli/commands/list/runList.ts',
    'src/cli/commands/status/runStatus.ts',
    'src/cli/commands/trust/runTrust.ts',
    'src/cli/commands/worker/runWorkerCommand.ts',
  );
  const shared = session.union(world).union(checks).intersection(slow.union(worker).union(tasks).union(store));
  return {
    // all that is loaded before compiled code is cached
    boot: reach('src/cli/main.ts'),
    common: cli
      .intersection(slow.union(worker).union(tasks).union(checks).union(library))
      .union(slow.intersection(tasks))
      .union(shared.intersection(library)),
    // separate from the store, which a session does not load
    shared,
    zod: reach('node_modules/zod/index.js'),
    // a stop with checks needs a little of each
    checked: settings.intersection(library),
    trusted: settings.intersection(checks),
    // nor does a program that uses the library, before it opens one
    'store-door': library.intersection(worker.union(store)),
    store,
    cli,
    'slow-events': slow,
    worker,
    tasks,
    output: session.intersection(reach('src/cli/commands/task/list/runList.ts')),
    world,
    settings,
    gates: session.intersection(checks).intersection(library),
    proofs: session.intersection(checks),
    // what smaller commands also need is separate: they would load all of it; and so is what the library does not need,
    // for programs would keep it in memory
    parts: session.intersection(smaller).intersection(library),
    turn: session.intersection(library),
    pieces: session.intersection(smaller),
    session,
    // a session's start and a stop of a project with checks need all of it
    done: checks,
  };
}

/** The bundler names modules by their real paths: `node_modules` of a worktree can be a link. */
const moduleId = (file) => {
  const linked = path.join(root, file);
  return existsSync(linked) ? realpathSync(linked) : linked;
};

const isEntry = new Set(Object.values(entries).map((file) => path.join(root, file)));
const chunkOf = new Map();
const planChunks = {
  name: 'plan-chunks',
  buildEnd() {
    const follow = (id, seen) => {
      if (seen.has(id)) return seen;
      seen.add(id);
      for (const next of this.getModuleInfo(id)?.importedIds ?? []) follow(next, seen);
      return seen;
    };
    const reach = (...files) => {
      const seen = new Set();
      for (const file of files) {
        const id = moduleId(file);
        if (!this.getModuleInfo(id)) throw new Error(`${file} is not part of the bundle: correct hotChunks`);
        follow(id, seen);
      }
      return seen;
    };
    const files = hotChunks(reach);
    for (const name of HOT_CHUNKS) {
      for (const id of files[name]) if (!isEntry.has(id) && !chunkOf.has(id)) chunkOf.set(id, name);
    }
  },
};

rmSync(dist, { recursive: true, force: true });
const graph = await rolldown({
  cwd: root,
  platform: 'node',
  input: entries,
  preserveEntrySignatures: 'allow-extension',
  moduleTypes: { '.sql': 'text' },
  // a module that one command imports on demand, another one needs at its start
  checks: { ineffectiveDynamicImport: false },
  // the first includes a binary that must be found on disk, the second is the one that a program has
  external: ['@vscode/ripgrep', 'ai'],
  plugins: [
    hookCopy({ lazy: 'toolEvents.ts' }),
    oneLanguage,
    noIndentCache,
    lightHeaders,
    plainBuiltins,
    asciiOnly,
    planChunks,
  ],
  // its main file hides what it requires from a bundler
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' }, conditionNames: ['import', 'node', 'default'] },
  transform: {
    target: 'node24',
    define: { STOPGATE_VERSION: JSON.stringify(version), STOPGATE_TOOL_SCHEMAS: JSON.stringify(toolSchemas) },
  },
});
await graph.write({
  dir: dist,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name].cjs',
  // names are kept: stack traces must be readable without source maps
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  comments: false,
  topLevelVar: true,
  // for `import` of a CommonJS file Node looks for the names in its text, and does not see one that is exported by a getter
  postFooter: ({ isEntry, exports }) => (isEntry && exports.length > 0 ? `0&&(module.exports={${exports}});` : ''),
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: HOT_CHUNKS.map((name, at) => ({
      name,
      test: (id) => chunkOf.get(id) === name,
      priority: HOT_CHUNKS.length - at,
    })),
  },
});

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'stopgate-build-')));
try {
  const coverage = path.join(folder, 'coverage');
  await rehearse({ dist, folder, coverage });
  compileEarly(dist, coverage);
} catch (error) {
  console.error(`The build could not run what it built, so every start will compile more: ${error.message}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
const { bin } = JSON.parse(readFileSync(tsc, 'utf8'));
const command = path.join(path.dirname(tsc), typeof bin === 'string' ? bin : bin.tsc);
// one checker: several each learn the types that they share
const declarations =
  '--checkers 1 --noEmit false --emitDeclarationOnly --declaration --rootDir src --outDir dist/types';
execFileSync(process.execPath, [command, ...declarations.split(' '), '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
recordBuilt();
