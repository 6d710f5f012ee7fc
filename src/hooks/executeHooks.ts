import type { ConfiguredHook } from './configuredHook.ts';
import { entryKey, type HookEngine } from './engine.ts';
import { eventFacts } from './events/eventTable.ts';
import { eventFor, firedEvent, lastTextFor, selectFor } from './firedEvent.ts';
import { attachmentsOf, type HookRun, hookProgress, hookResponse, hookStarted } from './hookStream.ts';
import type { FiredEvent, HookContext } from './kind.ts';
import { sentence } from './kinds/bounded.ts';
import { hookEnvironment } from './kinds/environment.ts';
import { failed, type HookOutcome } from './outcome.ts';
import { capOutcome } from './spill.ts';
import { timeoutFor } from './timeouts.ts';
import { type HookEvent, type HookRequest, type HookVerdict, NO_VERDICT } from './types.ts';
import { effectsOf, foldVerdict, type HookEnd, whyFailureBlocks } from './verdict.ts';

/**
 * Runs every hook that matches, in parallel. Yields each one's start, its output if watched, and its end; returns their
 * common verdict. A consumer that leaves early ends those that still run.
 */
export async function* executeHooks(engine: HookEngine, request: HookRequest): AsyncGenerator<HookEvent, HookVerdict> {
  if (!engine.byEvent.has(request.event)) return NO_VERDICT;
  const event = firedEvent(withEvidence(engine, request));
  const selected = selectFor(event, engine).flatMap((one) => (one.matched ? [one.hook] : []));
  const off = offHooks(selected, engine, event);
  for (const text of off.notices) yield { type: 'notice', level: 'warning', text };
  const hooks = selected.filter((hook) => !off.left.has(hook));
  if (hooks.length === 0) return NO_VERDICT;
  const own = new AbortController();
  const abort = () => own.abort();
  if (request.signal.aborted) abort();
  request.signal.addEventListener('abort', abort, { once: true });
  const ends: HookEnd[] = [];
  try {
    const running = { engine, event, signal: own.signal, ownInput: request.ownInput, failing: off.failing };
    for await (const arrival of runAll(hooks, running)) {
      if ('outcome' in arrival) ends.push(arrival);
      else yield arrival;
    }
    return foldVerdict(ends, event);
  } finally {
    request.signal.removeEventListener('abort', abort);
    if (ends.length < hooks.length) abort();
  }
}

/** Not for an input that has it: `hooks test` repeats one that was recorded. */
function withEvidence(engine: HookEngine, request: HookRequest): HookRequest {
  if (!eventFacts(request.event).hasEvidence || 'evidence' in request.input) return request;
  const evidence = engine.evidence(request.subject);
  return evidence === undefined ? request : { ...request, input: { ...request.input, evidence } };
}

interface Running {
  readonly engine: HookEngine;
  readonly event: FiredEvent;
  readonly signal: AbortSignal;
  readonly ownInput: HookRequest['ownInput'];
  /** Hooks that may not run, and whose failure blocks, with the reason. */
  readonly failing: ReadonlyMap<ConfiguredHook, string>;
}

/**
 * Hooks that may not run any more: left out, and named once. One whose failure blocks fails instead, every time: it must not be
 * passed by changing its script.
 */
function offHooks(hooks: readonly ConfiguredHook[], { whyOff, namedOff }: HookEngine, event: FiredEvent) {
  const left = new Set<ConfiguredHook>();
  const failing = new Map<ConfiguredHook, string>();
  const notices: string[] = [];
  for (const hook of whyOff === undefined ? [] : hooks) {
    const why = whyOff?.(hook, event.subject.cwd) ?? null;
    const key = `${entryKey(hook)} ${why}`;
    if (why === null) continue;
    if (whyFailureBlocks(hook, 'execution', event.row) === null) left.add(hook);
    else failing.set(hook, why);
    if (!namedOff.has(key)) notices.push(`Hook not run: ${hook.event} ${hook.label} (${hook.file}): ${why}.`);
    namedOff.add(key);
  }
  return { left, failing, notices };
}

type Arrival = HookEvent | HookEnd;

/** A queue with several producers and one consumer. */
class Arrivals<T> {
  readonly #waiting: T[] = [];
  #wake: (() => void) | undefined;

  push(item: T): void {
    this.#waiting.push(item);
    this.#wake?.();
  }

  /** Everything since the last call; waits for at least one. */
  async take(): Promise<readonly T[]> {
    if (this.#waiting.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    return this.#waiting.splice(0);
  }
}

/** Starts every hook before it waits for any; yields events in the order they happen. */
async function* runAll(hooks: readonly ConfiguredHook[], running: Running): AsyncGenerator<Arrival, void> {
  const arrivals = new Arrivals<Arrival>();
  let env: HookContext['env'] | undefined;
  const shared: Shared = {
    ...running,
    hooks,
    env: () => (env ??= environmentOf(running)),
    emit: (arrival) => arrivals.push(arrival),
  };
  for (const hook of hooks) {
    const run: HookRun = { id: running.engine.ids.uuid(), hook, event: running.event };
    if (running.engine.emitsProgress(running.event.name)) shared.emit(hookStarted(run));
    void runOne(run, shared).then((outcome) => emitEnd(run, outcome, shared));
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
  /** Only commands and http hooks use it, and it is not free. */
  env(): HookContext['env'];
  emit(arrival: Arrival): void;
}

/** Never rejects: whatever happens to one hook, the others count. */
async function runOne(run: HookRun, shared: Shared): Promise<HookOutcome> {
  const { hook } = run;
  const { engine, ownInput } = shared;
  const why = shared.failing.get(hook);
  if (why !== undefined) return failed('execution', `it was not run: ${why}`);
  try {
    const event = eventFor(run.event, ownInput?.(hook.label));
    const outcome = await engine.kinds.get(hook.kind)?.run(hook.settings, event, contextFor(run, shared));
    return capOutcome(outcome ?? failed('execution', `this process cannot run ${hook.kind} hooks`), engine.spill);
  } catch (error) {
    return failed('execution', `the ${hook.kind} kind is broken: ${sentence(error)}`);
  }
}

function emitEnd(run: HookRun, outcome: HookOutcome, { engine, event, emit }: Shared): void {
  const { hook } = run;
  const end = { hook, outcome };
  // only a success uses up a `once`: a hook that blocked or failed has not done its job
  if (outcome.type === 'said' && outcome.reply.block === undefined) engine.spent.add(entryKey(hook));
  if (outcome.type === 'failed') {
    const { failure, printed } = outcome;
    engine.log('hook_failed', { event: event.name, kind: hook.kind, failure, durationMs: printed.durationMs });
  }
  const effects = effectsOf(end, event);
  for (const attachment of attachmentsOf(end, event, effects)) emit({ type: 'attachment', attachment });
  const { systemMessage } = effects;
  // measured: Claude Code words it so
  if (systemMessage !== undefined)
    emit({ type: 'notice', level: 'warning', text: `${event.title} says: ${systemMessage}` });
  if (outcome.type !== 'background' && engine.emitsProgress(event.name)) emit(hookResponse(run, outcome, effects));
  engine.onEnd?.(end);
  emit(end);
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

/** Emits what was printed so far; the beginning is enough. */
function watcher(run: HookRun, { emit }: Shared): NonNullable<HookContext['onOutput']> {
  const soFar = { stdout: '', stderr: '' };
  return (stream, chunk) => {
    if (soFar[stream].length >= WATCHED_CHARACTERS) return;
    soFar[stream] = (soFar[stream] + chunk).slice(0, WATCHED_CHARACTERS);
    emit(hookProgress(run, soFar));
  };
}

function environmentOf({ engine, event }: Running): HookContext['env'] {
  const { env, withheld, projectDir, pid, envFile } = engine;
  const { sessionId, effort } = event.subject;
  return hookEnvironment({
    inherited: env,
    withheld,
    projectDir,
    sessionId,
    pid,
    ...(event.row.hasEnvFile && envFile !== undefined && { envFile }),
    ...(event.row.hasEffort && effort !== undefined && { effort }),
  });
}
