/**
 * `stopgate hook EVENT`: what hosts call. It starts at every tool call of another agent, so this file imports nothing that is
 * not needed to answer, and it must never be in the way: whatever goes wrong inside is logged and answered with nothing and
 * exit 0, which every host takes for "go on".
 */
import { readBudgetEnd } from '../../../budget/budgetEnd.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { prepareHome } from '../../wiring/prepareHome.ts';

/** Without a clock there is nothing to report, and the payload need not even be read. */
async function toolEvent(name: string): Promise<void> {
  if (readBudgetEnd(process.env) === null) return;
  prepare();
  (await import('./toolEvents.ts')).runToolEvent(name);
}

/** What waits, runs and remembers. */
async function slowEvent(name: string): Promise<void> {
  prepare();
  await (await import('./slowEvents.ts')).runSlowEvent(name);
}

/** Where there is no home, no folder is created. */
function prepare(): void {
  if (process.env.STOPGATE_HOME || process.env.HOME) prepareHome(process.env);
}

/** Every name that settings may call. */
const EVENTS: Readonly<Record<string, (name: string) => Promise<void>>> = {
  'pre-tool-use': toolEvent,
  'post-tool-use': toolEvent,
  'post-tool-batch': toolEvent,
  stop: slowEvent,
  'session-start': slowEvent,
};

async function main(name: string): Promise<void> {
  const run = ownValue(EVENTS, name);
  if (run === undefined) throw new Error(`unknown event ${name}`);
  await run(name);
}

function failed(error: unknown): void {
  process.exitCode = 0;
  import('./slowEvents.ts')
    .then(({ logFailure }) => logFailure(process.argv.slice(2).join(' '), error))
    .catch(() => {});
}

void main(process.argv[process.argv[2] === 'hook' ? 3 : 2] ?? '').catch(failed);
