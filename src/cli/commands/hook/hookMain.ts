/**
 * `stopgate hook EVENT`, called by hosts. It starts at every tool call of another agent, so this file imports only what is
 * needed to answer. It must never be in the way: a failure is logged, prints nothing and exits with 0.
 */
import { readBudgetEnd } from '../../../budget/budgetEnd.ts';
import { folderOrItsPlace } from '../../../system/currentFolder.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { dropEmptyHome } from '../../../system/stopgateHome.ts';
import { prepareHome } from '../../wiring/prepareHome.ts';

/** Without a time budget there is nothing to report, and the payload is not read. */
async function toolEvent(name: string): Promise<void> {
  if (readBudgetEnd(process.env) === null) return;
  prepare();
  await (await import('./toolEvents.ts')).runToolEvent(name);
}

async function slowEvent(name: string): Promise<void> {
  prepare();
  await (await import('./slowEvents.ts')).runSlowEvent(name);
}

/** Creates no folder where there is no home. */
function prepare(): void {
  dropEmptyHome(process.env);
  if (process.env.STOPGATE_HOME || process.env.HOME) prepareHome(process.env);
}

const EVENTS: Readonly<Record<string, (name: string) => Promise<void>>> = {
  'pre-tool-use': toolEvent,
  'post-tool-use': toolEvent,
  'post-tool-batch': toolEvent,
  stop: slowEvent,
  'session-start': slowEvent,
  guard: slowEvent,
  'carry-checks': slowEvent,
};

async function main(name: string): Promise<void> {
  const run = ownValue(EVENTS, name);
  // in a host's settings this would be a gate that is always open: hosts show a hook that fails
  if (run === undefined) return unknownEvent(name);
  // entries for Claude Code name no host: it loads no files of the project
  if (process.argv.includes('--host')) await dropFileVariables();
  await run(name);
}

async function dropFileVariables(): Promise<void> {
  const { dropFileVariables: drop } = await import('./fileVariables.ts');
  for (const sentence of drop(process.argv, folderOrItsPlace(process.env), process.env))
    process.stderr.write(`${sentence}\n`);
}

function unknownEvent(name: string): void {
  process.stderr.write(`stopgate: unknown hook event "${name}"; use one of ${Object.keys(EVENTS).join(', ')}.\n`);
  process.exitCode = 1;
}

function failed(error: unknown): void {
  process.exitCode = 0;
  import('./slowEvents.ts')
    .then(({ logFailure }) => logFailure(process.argv.slice(2).join(' '), error))
    .catch(() => {});
}

void main(process.argv[process.argv[2] === 'hook' ? 3 : 2] ?? '').catch(failed);
