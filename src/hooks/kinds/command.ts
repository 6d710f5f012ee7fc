import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { AsyncHookJSONOutputSchema } from '../../schemas/hookOutputs.ts';
import { type BashCommandHook, BashCommandHookSchema } from '../../schemas/hooks.ts';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { assertNever } from '../../system/assertNever.ts';
import type { ProcessEnd, ProcessRunner, ProcessSpec } from '../../system/processes.ts';
import { defineKind, type FiredEvent, type HookContext, type HookKind, type KindFacts } from '../kind.ts';
import { failed, type HookOutcome, PRINTED_NOTHING } from '../outcome.ts';
import { readAnswer } from '../readAnswer.ts';
import type { BackgroundHooks } from './background.ts';
import { tooLong } from './bounded.ts';
import { commandLine, strayPlaceholder } from './commandLine.ts';
import { pluginEnvironment } from './environment.ts';
import { hookQuestions, withoutQuestions } from './hookQuestions.ts';

const MAX_OUTPUT_BYTES = 1024 * 1024;
const FIRST_LINE_LIMIT = 4096;

export const commandFacts: KindFacts<BashCommandHook> = {
  type: 'command',
  aliases: ['bash'],
  schema: BashCommandHookSchema,
  fields: Object.keys(BashCommandHookSchema.shape),
  label: ({ command, args }) => [command, ...(args ?? [])].join(' '),
  starts: commandLine,
};

export interface CommandEffects {
  readonly processes: ProcessRunner;
  readonly background: BackgroundHooks;
}

/** Hooks that are commands: the event as JSON on stdin; the exit code and the output are the answer. */
export function commandHook({ processes, background }: CommandEffects): HookKind {
  return defineKind<BashCommandHook>({
    ...commandFacts,
    async run(settings, event, context) {
      const stray = strayPlaceholder(settings, context.hook.plugin);
      if (stray !== undefined) return failed('execution', stray);
      const command = startCommand(settings, { event, context, processes });
      const detach = () => {
        command.release();
        const wakes = settings.asyncRewake === true;
        background.adopt({ hook: context.hook, event, ended: command.ended, end: command.end, wakes });
        return { type: 'background', printed: PRINTED_NOTHING } as const;
      };
      // measured: headless, `asyncRewake` alone is waited for, and its exit 2 is an ordinary block
      if (settings.async) return detach();
      const first = await Promise.race([command.ended, command.detachRequest]);
      if (first.type !== 'detach') return first;
      if (first.afterMs !== undefined) command.endAfter(first.afterMs);
      return detach();
    },
  });
}

interface CommandRun {
  readonly event: FiredEvent;
  readonly context: HookContext;
  readonly processes: ProcessRunner;
}

interface Detach {
  readonly type: 'detach';
  readonly afterMs?: number;
}

function startCommand(settings: BashCommandHook, run: CommandRun) {
  const { context } = run;
  const own = new AbortController();
  const end = () => own.abort();
  if (context.signal.aborted) end();
  context.signal.addEventListener('abort', end, { once: true });
  /** The turn's abort no longer ends this command. */
  const release = () => context.signal.removeEventListener('abort', end);
  /** Resolves when the first line it prints is `{"async": true}`. */
  const request = Promise.withResolvers<Detach>();
  const spec = processSpec(settings, run, {
    signal: own.signal,
    onFirstLine: (line) => readDetachRequest(line, request.resolve),
  });
  const ended = runAnywhere(run, spec).then((processEnd) => {
    release();
    return outcomeOf(processEnd, run, spec.timeoutMs);
  });
  const endAfter = (ms: number) => {
    const settled = new AbortController();
    void ended.then(() => settled.abort());
    void context.clock.sleep(ms, settled.signal).then(end);
  };
  return { ended, detachRequest: request.promise, release, end, endAfter };
}

interface Watch {
  readonly signal: AbortSignal;
  onFirstLine(line: string): void;
}

function processSpec(settings: BashCommandHook, { event, context }: CommandRun, watch: Watch): ProcessSpec {
  const { plugin } = context.hook;
  const { requestPrompt } = event;
  const conversation =
    settings.asksUser && requestPrompt ? hookQuestions(event.json, requestPrompt, watch.signal) : undefined;
  const places = { projectDir: context.projectDir, ...(plugin && { plugin }) };
  // an async hook has no timeout unless it can wake the agent
  const timeout = settings.async && !settings.asyncRewake ? {} : { timeoutMs: context.timeoutMs };
  return {
    ...commandLine(settings, places),
    cwd: event.subject.cwd,
    env: environmentOf(settings, context),
    // one line, so that `read -r line` succeeds
    input: conversation?.input ?? `${event.json}\n`,
    ...timeout,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal: watch.signal,
    onOutput: firstLine(watch.onFirstLine, (stream, chunk) => {
      context.onOutput?.(stream, chunk);
      if (stream === 'stdout') conversation?.read(chunk);
    }),
  };
}

/** Most hooks share one environment object, which the spawn helper caches. */
function environmentOf({ allowedEnvVars = [] }: BashCommandHook, context: HookContext): HookContext['env'] {
  const { plugin } = context.hook;
  const granted = allowedEnvVars.flatMap((name) => {
    const value = context.secret(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (!plugin && granted.length === 0) return context.env;
  return { ...context.env, ...Object.fromEntries(granted), ...(plugin && pluginEnvironment(plugin)) };
}

function firstLine(
  onLine: (line: string) => void,
  also: HookContext['onOutput'],
): NonNullable<ProcessSpec['onOutput']> {
  let line = '';
  let over = false;
  return (stream, chunk) => {
    also?.(stream, chunk);
    if (over || stream !== 'stdout') return;
    line += chunk.slice(0, FIRST_LINE_LIMIT);
    const end = line.indexOf('\n');
    over = end >= 0 || line.length >= FIRST_LINE_LIMIT;
    if (end >= 0) onLine(line.slice(0, end));
  };
}

function readDetachRequest(line: string, detach: (request: Detach) => void): void {
  if (!line.includes('"async"')) return;
  const request = AsyncHookJSONOutputSchema.safeParse(jsonValue(line));
  if (!request.success) return;
  const { asyncTimeout } = request.data;
  detach({ type: 'detach', ...(asyncTimeout !== undefined && { afterMs: asyncTimeout }) });
}

/** A command whose directory was deleted runs in another one. */
async function runAnywhere({ context, processes }: CommandRun, spec: ProcessSpec): Promise<ProcessEnd> {
  const end = await processes.start(spec).ended;
  if (end.type !== 'notStarted' || existsSync(spec.cwd)) return end;
  const cwd = [context.projectDir, homedir(), tmpdir()].find((place) => existsSync(place));
  return cwd === undefined ? end : processes.start({ ...spec, cwd }).ended;
}

function outcomeOf(end: ProcessEnd, { event, context }: CommandRun, timeoutMs = 0): HookOutcome {
  if (end.type === 'notStarted') return failed('execution', end.error);
  const { stdout, stderr, durationMs, droppedBytes } = end;
  const asksUser = 'asksUser' in context.hook.settings && context.hook.settings.asksUser;
  const printed = { stdout: asksUser ? withoutQuestions(stdout) : stdout, stderr, durationMs };
  if (end.type === 'aborted') return { type: 'cancelled', printed };
  if (end.type === 'timedOut') return failed('timeout', tooLong(timeoutMs), printed);
  if (end.type === 'signalled') return failed('answer', `it was killed by ${end.signal}`, printed);
  if (end.type !== 'exited') return assertNever(end);
  const outcome = readAnswer({ ...printed, exitCode: end.code }, event.row);
  if (outcome.type !== 'failed' || droppedBytes === 0) return outcome;
  return { ...outcome, message: `${outcome.message} (${droppedBytes} bytes of its output were dropped)` };
}
