/**
 * `stopgate hook EVENT`: what hosts call. It starts at every tool call of somebody else's agent, so this file imports
 * nothing that is not needed to answer, and it must never be in the way: whatever goes wrong inside is logged and said
 * as nothing, with exit 0, which every host takes for "go on".
 */
import { enableCompileCache } from 'node:module';
import { hookClock, hookNow } from '../../../stop/hookClock.ts';
import { systemClock } from '../../../system/clock.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { sayNow } from '../../../system/sayNow.ts';
import { makeHome, stopgateHome, whyHomeUnsafe } from '../../../system/stopgateHome.ts';
import { answerPreToolUse, countdown } from './toolEvents.ts';

interface HookEvent {
  /** What it says, from the payload; null: to be asked in the larger bundle, which alone can wait, run and remember. */
  readonly answer: ((clock: NonNullable<ReturnType<typeof hookClock>>) => string) | null;
}

/** Every name that settings may call. */
const EVENTS: Readonly<Record<string, HookEvent>> = {
  'pre-tool-use': { answer: answerPreToolUse },
  'post-tool-use': { answer: countdown },
  'post-tool-batch': { answer: countdown },
  stop: { answer: null },
  'session-start': { answer: null },
};

function main(name: string): void {
  const event = ownValue(EVENTS, name);
  if (event === undefined) throw new Error(`unknown event ${name}`);
  if (event.answer === null) {
    keepCompiled();
    void import('./slowEvents.ts').then(({ runSlowEvent }) => runSlowEvent(name)).catch(failed);
    return;
  }
  // without a clock neither has anything to say, and the payload need not even be read
  const clock = hookClock(process.env, hookNow(process.env, systemClock));
  if (clock !== null) sayNow(1, event.answer(clock));
}

/** The larger bundle is compiled once for all stops. */
function keepCompiled(): void {
  const { NODE_DISABLE_COMPILE_CACHE, STOPGATE_HOME, HOME } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE || !(STOPGATE_HOME || HOME)) return;
  makeHome(process.env);
  // code that another user may have put there would run as ours
  if (whyHomeUnsafe(process.env) === null) enableCompileCache(`${stopgateHome(process.env)}/cache/compile`);
}

function failed(error: unknown): void {
  process.exitCode = 0;
  import('./slowEvents.ts')
    .then(({ logFailure }) => logFailure(process.argv.slice(2).join(' '), error))
    .catch(() => {});
}

try {
  main(process.argv[process.argv[2] === 'hook' ? 3 : 2] ?? '');
} catch (error) {
  failed(error);
}
