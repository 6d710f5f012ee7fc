import path from 'node:path';
import { budgetEndWarnings } from '../../../budget/budgetEnd.ts';
import { budgetMessage } from '../../../budget/timeBudget.ts';
import { callerOf, hostNamed, printed } from '../../../hosts/all.ts';
import type { HookAnswer, Host } from '../../../hosts/host.ts';
import { PASS } from '../../../stop/answer.ts';
import { askStop, beginSession } from '../../../stop/ask.ts';
import { START_SECONDS, usableSeconds } from '../../../stop/checks/hookTime.ts';
import { hookClock, hookNow } from '../../../stop/clock.ts';
import { type Payload, sessionIdOf } from '../../../stop/payload.ts';
import { countBlock } from '../../../stop/worker/promptBlocks.ts';
import type { StopWorld } from '../../../stop/world.ts';
import { attempt } from '../../../system/attempt.ts';
import { type Clock, systemClock, wallNow } from '../../../system/clock.ts';
import { folderOrItsPlace } from '../../../system/currentFolder.ts';
import { definedOnly } from '../../../system/definedOnly.ts';
import { hideOwnSecrets } from '../../../system/hideOwnSecrets.ts';
import { appendToLog } from '../../../system/lineFile.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { printNow } from '../../../system/printNow.ts';
import { stopgateHome, whyHomeUnsafe } from '../../../system/stopgateHome.ts';
import { terminalText } from '../../../system/terminalText.ts';
import { readPayload } from './hookPayload.ts';

/** The surroundings of a hook process. */
interface HookWorld extends Omit<StopWorld, 'signal'> {
  readonly asker: Host;
  /** Aborted when the host terminates the hook. */
  readonly interrupt: AbortController;
}

/** Its event is in a file; stdin is empty. */
const CARRY = 'carry-checks';

type Handler = (payload: Payload, world: HookWorld) => Promise<HookAnswer>;

const onStop: Handler = (payload, world) =>
  askStop(payload, { ...world, endsWithProcess: true, onWait: printWait, signal: world.interrupt.signal });

/** A hook's own process has nothing else to print while it waits. */
const printWait = (sentence: string) => void process.stderr.write(terminalText(`${sentence}\n`));

/** Gives a resumed session the time that is left, since the figures in its history are old. */
const onSessionStart: Handler = async (payload, world) => {
  const ofGates = await beginSession(payload, { ...world, signal: world.interrupt.signal });
  const notes = [...ofGates, ...budgetEndWarnings(world.env).map((warning) => `Stopgate: ${warning}`)];
  const clock = hookClock(world.env, hookNow(world.env, world.clock));
  if (clock === null || payload.source !== 'resume') return { type: 'pass', notes };
  return { type: 'context', event: 'SessionStart', text: budgetMessage(clock.remainingSeconds, clock), notes };
};

const onGuard: Handler = async (payload, world) =>
  (await import('./guardCall.ts')).guardCall(payload, world, world.asker);

/** Started by a stop hook that may not take as long as its checks. */
const onCarry: Handler = async (_payload, world) => {
  const place = optionIn(process.argv, '--record');
  const { carryChecks } = await import('../../../stop/checks/pieces.ts');
  if (place !== undefined) await carryChecks(place, { ...world, signal: world.interrupt.signal });
  return PASS;
};

const HANDLERS: Readonly<Record<string, Handler>> = {
  stop: onStop,
  [CARRY]: onCarry,
  'session-start': onSessionStart,
  guard: onGuard,
};

/** The hosts' own default; the entries that we write pass `--timeout`, or have a short one. */
const DEFAULT_TIMEOUT_SECONDS = 600;
const DEFAULT_OF: Readonly<Record<string, number>> = { 'session-start': START_SECONDS };

/** Answers one event and ends the process. */
export async function runSlowEvent(event: string): Promise<void> {
  // checks run while this process lives, and a worker's hook waits for a long time
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
      // every host treats this as a failed hook and continues
      process.kill(process.pid, 'SIGKILL');
    });
    host = callerOf(payload, world.stopgateHome, process.argv);
    const unsafe = whyHomeUnsafe(world.env);
    if (unsafe !== null) return print({ type: 'pass', notes: [`Stopgate: ${unsafe}.`] }, host);
    if (await host.standsAside?.(event, { payload, env: world.env, argv: process.argv })) return print(PASS, host);
    const handler = ownValue(HANDLERS, event);
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
  if (answer.type === 'block') {
    countBlock(process.env);
    await answer.delivered?.();
  }
  process.exit(0);
}

export function logFailure(event: string, error: unknown): void {
  hookLog(hookWorld(process.argv)).failed(event, error);
}

function hookWorld(argv: readonly string[]): Omit<HookWorld, 'asker'> {
  const env = definedOnly(process.env);
  const own = stopgateHome(env);
  const usual = Object.entries(DEFAULT_OF).find(([event]) => argv.includes(event))?.[1] ?? DEFAULT_TIMEOUT_SECONDS;
  const timeoutSeconds = Number(optionIn(argv, '--timeout')) || usual;
  // a hook that is still running at its host's timeout loses its verdict
  const deadlineAt = systemClock.now() + 1000 * usableSeconds(timeoutSeconds);
  const wholeSeconds = Number(optionIn(argv, '--whole')) || 0;
  const isLong = wholeSeconds > timeoutSeconds;
  return {
    env,
    stopgateHome: own,
    clock: systemClock,
    hostPid: Number(env.CLAUDE_PID) || null,
    deadlineAt,
    interrupt: new AbortController(),
    ...(isLong && { pieces: { answerBy: deadlineAt, wholeSeconds, start: (file) => startCarrier(file, argv, env) } }),
  };
}

const optionIn = (argv: readonly string[], name: string): string | undefined =>
  argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined;

/** This program again, as the agent's host started it, without its pipes. */
async function startCarrier(file: string, argv: readonly string[], env: Readonly<Record<string, string>>) {
  const { startDetached } = await import('../../../system/detachedProcess.ts');
  const host = optionIn(argv, '--host');
  const words = ['hook', CARRY, '--record', file, ...(host === undefined ? [] : ['--host', host])];
  const logFile = path.join(stopgateHome(env), 'logs', 'checks.log');
  const [, script = ''] = argv;
  return startDetached({ file: process.execPath, args: [script, ...words], cwd: folderOrItsPlace(env), env, logFile });
}

const MOST_BYTES = 1024 * 1024;

interface Decision {
  readonly event: string;
  readonly caller: string;
  readonly payload: Payload;
  readonly answer: HookAnswer;
}

/** One line per decision in `~/.stopgate/logs/hooks.jsonl`: a hook must not disturb its host with errors. */
function hookLog({ stopgateHome, clock }: { readonly stopgateHome: string; readonly clock: Clock }) {
  const file = path.join(stopgateHome, 'logs', 'hooks.jsonl');
  const write = (fields: object) => {
    const line = { at: new Date(wallNow(clock)).toISOString(), ...fields };
    // a full disk must not disturb the host either
    attempt(() => appendToLog(file, line, MOST_BYTES), undefined);
  };
  return {
    decided: ({ event, caller, payload, answer }: Decision) =>
      write({ event, caller, session: sessionIdOf(payload), cwd: payload.cwd, ...shortened(answer) }),
    failed: (event: string, error: unknown) =>
      write({ event, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  };
}

/** Only the first line of a reason: after it comes a check's output, which may contain anything. */
function shortened(answer: HookAnswer): object {
  return 'reason' in answer ? { ...answer, reason: answer.reason.split('\n', 1)[0] } : answer;
}
