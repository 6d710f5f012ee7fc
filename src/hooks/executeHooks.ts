import { Arrivals } from './arrivals.ts';
import { attachmentsOf } from './attachments.ts';
import type { ConfiguredHook } from './configuredHook.ts';
import { entryKey, type HookEngine } from './engine.ts';
import { firedEvent, lastTextFor, selectFor } from './firedEvent.ts';
import { type HookRun, hookProgress, hookResponse, hookStarted } from './hookStream.ts';
import type { FiredEvent, HookContext } from './kind.ts';
import { sentence } from './kinds/bounded.ts';
import { hookEnvironment } from './kinds/environment.ts';
import { type HookOutcome, PRINTED_NOTHING } from './outcome.ts';
import { capOutcome } from './spill.ts';
import { timeoutFor } from './timeouts.ts';
import { type HookEvent, type HookRequest, type HookVerdict, NO_VERDICT } from './types.ts';
import { effectsOf, foldVerdict, type HookEnd } from './verdict.ts';

/**
 * Asks every hook that matches, all at once. Yields each one's start, what it prints where somebody watches, and how
 * it ended as soon as it did; returns what they said together. Leaving early ends those that still run.
 */
export async function* executeHooks(engine: HookEngine, request: HookRequest): AsyncGenerator<HookEvent, HookVerdict> {
  if (!engine.byEvent.has(request.event)) return NO_VERDICT;
  const event = firedEvent(request);
  const hooks = selectFor(event, engine).flatMap((one) => (one.matched ? [one.hook] : []));
  if (hooks.length === 0) return NO_VERDICT;
  const own = new AbortController();
  const abort = () => own.abort();
  if (request.signal.aborted) abort();
  request.signal.addEventListener('abort', abort, { once: true });
  const ends: HookEnd[] = [];
  try {
    for await (const arrival of runAll(hooks, { engine, event, signal: own.signal })) {
      if ('outcome' in arrival) ends.push(arrival);
      else yield arrival;
    }
    return foldVerdict(ends, event);
  } finally {
    request.signal.removeEventListener('abort', abort);
    if (ends.length < hooks.length) abort();
  }
}

interface Running {
  readonly engine: HookEngine;
  readonly event: FiredEvent;
  readonly signal: AbortSignal;
}

type Arrival = HookEvent | HookEnd;

/** Starts every hook before it waits for any; what happens is told in order of happening. */
async function* runAll(hooks: readonly ConfiguredHook[], running: Running): AsyncGenerator<Arrival, void> {
  const arrivals = new Arrivals<Arrival>();
  const shared = {
    ...running,
    hooks,
    env: once(() => environmentOf(running)),
    tell: (arrival: Arrival) => arrivals.push(arrival),
  };
  for (const hook of hooks) {
    const run: HookRun = { id: running.engine.ids.uuid(), hook, event: running.event };
    if (running.engine.tellsProgress(running.event.name)) shared.tell(hookStarted(run));
    void runOne(run, shared).then((outcome) => tellEnd(run, outcome, shared));
  }
  for (let left = hooks.length; left > 0; ) {
    for (const arrival of await arrivals.take()) {
      if ('outcome' in arrival) left--;
      yield arrival;
    }
  }
}

interface Shared extends Running {
  readonly hooks: readonly ConfiguredHook[];
  /** Only commands and http hooks look at it, and it is not free. */
  env(): HookContext['env'];
  tell(arrival: Arrival): void;
}

/** Never rejects: whatever happens to one hook, the others are heard. */
async function runOne(run: HookRun, shared: Shared): Promise<HookOutcome> {
  const { hook, event } = run;
  const { engine } = shared;
  try {
    const outcome = await engine.kinds.get(hook.kind)?.run(hook.settings, event, contextFor(run, shared));
    return capOutcome(outcome ?? broken(`this process cannot run ${hook.kind} hooks`), engine.spill);
  } catch (error) {
    return broken(`the ${hook.kind} kind is broken: ${sentence(error)}`);
  }
}

function tellEnd(run: HookRun, outcome: HookOutcome, { engine, event, tell }: Shared): void {
  const { hook } = run;
  const end = { hook, outcome };
  // only a success uses up a `once`: a hook that blocked or failed has not done what it is for
  if (outcome.type === 'said' && outcome.says.block === undefined) engine.spent.add(entryKey(hook));
  if (outcome.type === 'failed')
    engine.log('hook_failed', {
      event: event.name,
      kind: hook.kind,
      failure: outcome.failure,
      durationMs: outcome.printed.durationMs,
    });
  const effects = effectsOf(end, event);
  for (const attachment of attachmentsOf(end, event, effects)) tell({ type: 'attachment', attachment });
  const { systemMessage } = effects;
  // measured: Claude Code words it so
  if (systemMessage !== undefined)
    tell({ type: 'notice', level: 'warning', text: `${event.title} says: ${systemMessage}` });
  if (outcome.type !== 'background' && engine.tellsProgress(event.name)) tell(hookResponse(run, outcome));
  engine.onEnd?.(end);
  tell(end);
}

function contextFor(run: HookRun, shared: Shared): HookContext {
  const { engine, event, signal, env, hooks } = shared;
  const kind = engine.kinds.get(run.hook.kind);
  const budgetOverride = engine.env.CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS;
  return {
    hook: run.hook,
    signal,
    timeoutMs: timeoutFor(run.hook, { row: event.row, kind, hooks, budgetOverride, defaultMs: event.timeoutMs }),
    projectDir: engine.projectDir,
    get env() {
      return env();
    },
    secret: (name) => (engine.withheld.has(name) ? engine.env[name] : undefined),
    clock: engine.clock,
    lastText: (source) => lastTextFor(event, engine, source),
    ...(engine.watchOutput && { onOutput: watcher(run, shared) }),
  };
}

const WATCHED_CHARACTERS = 10_000;

/** Tells what was printed so far; the beginning is enough for whoever watches. */
function watcher(run: HookRun, { tell }: Shared): NonNullable<HookContext['onOutput']> {
  const soFar = { stdout: '', stderr: '' };
  return (stream, chunk) => {
    if (soFar[stream].length >= WATCHED_CHARACTERS) return;
    soFar[stream] = (soFar[stream] + chunk).slice(0, WATCHED_CHARACTERS);
    tell(hookProgress(run, soFar));
  };
}

function environmentOf({ engine, event }: Running): HookContext['env'] {
  const { env, withheld, projectDir, pid, envFile } = engine;
  const { sessionId, effort } = event.subject;
  const leaves = event.row.hasEnvFile && envFile !== undefined ? { envFile } : {};
  const knows = event.row.hasEffort && effort !== undefined ? { effort } : {};
  return hookEnvironment({ inherited: env, withheld, projectDir, sessionId, pid, ...leaves, ...knows });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function broken(message: string): HookOutcome {
  return { type: 'failed', failure: 'execution', message, printed: PRINTED_NOTHING };
}
