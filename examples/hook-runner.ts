// Runs the Stop hooks of a settings file from your own agent. In the checkout: npm exec -- node examples/hook-runner.ts [SETTINGS.json]
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import {
  backgroundHooks,
  configureHooks,
  createHookRunner,
  executeStopHooks,
  hookKinds,
  spawnProcesses,
  spillToFolder,
  systemClock,
  systemIds,
} from 'stopgate';

const file = process.argv[2] ?? '.claude/settings.json';
const { hooks, problems } = configureHooks([
  { source: 'user', file, value: JSON.parse(readFileSync(file, 'utf8')).hooks },
]);
for (const problem of problems) console.error(problem);

const processes = spawnProcesses({ env: process.env });
const kinds = hookKinds({ processes, background: backgroundHooks(systemClock) });
const runner = createHookRunner({
  configured: hooks,
  kinds,
  projectDir: process.cwd(),
  spill: spillToFolder(tmpdir(), systemIds),
});

const subject = { sessionId: 'example', transcriptPath: '', cwd: process.cwd(), permissionMode: 'default' as const };
const run = executeStopHooks(
  { stop_hook_active: false, last_assistant_message: 'Done.' },
  { runner, subject, signal: AbortSignal.timeout(60_000) },
);
let step = await run.next();
while (!step.done) step = await run.next();
console.log(step.value.blocks.length === 0 ? 'may stop' : `not yet: ${step.value.blocks.join('\n')}`);
await processes.endAll();
