import { hostNamed, hostOf, printed } from '../../../hosts/all.ts';
import type { HookAnswer, Host } from '../../../hosts/host.ts';
import { PASS } from '../../../stop/answer.ts';
import { usableSeconds } from '../../../stop/checks/hookTime.ts';
import type { Payload } from '../../../stop/payload.ts';
import { systemClock } from '../../../system/clock.ts';
import { hideOwnSecrets } from '../../../system/hideOwnSecrets.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { printNow } from '../../../system/printNow.ts';
import { stopgateHome, whyHomeUnsafe } from '../../../system/stopgateHome.ts';
import { hookLog } from './hookLog.ts';
import { readPayload } from './hookPayload.ts';
import type { HookWorld } from './hookWorld.ts';

type Handler = (payload: Payload, world: HookWorld) => Promise<HookAnswer>;

/** One file per handler, loaded when it is asked. */
const HANDLERS: Readonly<Record<string, () => Promise<Handler>>> = {
  stop: async () => (await import('./onStop.ts')).onStop,
  'session-start': async () => (await import('./onSessionStart.ts')).onSessionStart,
};

/** What hosts allow a hook that says nothing else; ours says `--timeout`. */
const DEFAULT_TIMEOUT_SECONDS = 600;

/** Answers one event and ends the process. Throws nothing that the caller would not log. */
export async function runSlowEvent(event: string): Promise<void> {
  // checks run beside it, and as a worker it waits for long; where they cannot be hidden it must still answer
  hideOwnSecrets();
  const world = hookWorld(process.argv);
  const stop = (code: string) => () => world.interrupt.abort(code);
  process.once('SIGTERM', stop('SIGTERM'));
  process.once('SIGINT', stop('SIGINT'));
  const log = hookLog(world);
  let answer: HookAnswer = PASS;
  let host = hostNamed('');
  try {
    const payload = await readPayload(() => {
      log.failed(event, new Error('the host sent no event and left its pipe open'));
      // every host takes this for a hook that failed, and goes on
      process.kill(process.pid, 'SIGKILL');
    });
    host = hostOf(payload, world.stopgateHome);
    const unsafe = whyHomeUnsafe(world.env);
    if (unsafe !== null) return print({ type: 'pass', notes: [`Stopgate: ${unsafe}.`] }, host);
    const handler = await ownValue(HANDLERS, event)?.();
    if (handler) answer = await handler(payload, { ...world, asker: host });
    log.decided({ event, caller: host.name, payload, answer });
  } catch (error) {
    log.failed(event, error);
  }
  await print(answer, host);
}

async function print(answer: HookAnswer, host: Host): Promise<void> {
  const notes = answer.notes ?? [];
  if (notes.length > 0) printNow(2, `${notes.join('\n')}\n`);
  printNow(1, printed(host, answer));
  // deliver, then acknowledge
  if (answer.type === 'block') await answer.delivered?.();
  process.exit(0);
}

export function logFailure(event: string, error: unknown): void {
  hookLog(hookWorld(process.argv)).failed(event, error);
}

function hookWorld(argv: readonly string[]): Omit<HookWorld, 'asker'> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const timeoutSeconds = Number(argv[argv.indexOf('--timeout') + 1]) || DEFAULT_TIMEOUT_SECONDS;
  const interrupt = new AbortController();
  return {
    env,
    stopgateHome: stopgateHome(env),
    clock: systemClock,
    hostPid: Number(env.CLAUDE_PID) || null,
    // a hook that is still running at its host's timeout loses its verdict
    deadlineAt: systemClock.now() + 1000 * usableSeconds(timeoutSeconds),
    interrupt,
  };
}
