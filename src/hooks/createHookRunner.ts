import { systemClock } from '../system/clock.ts';
import { systemIds } from '../system/ids.ts';
import { noLog } from '../system/log.ts';
import { withheldFrom } from '../system/secretPolicy.ts';
import type { ConfiguredHook } from './configuredHook.ts';
import { groupByEvent, type HookEngine } from './engine.ts';
import { executeHooks } from './executeHooks.ts';
import { firedEvent, selectFor } from './firedEvent.ts';
import type { HookKind } from './kind.ts';
import type { Selected } from './select.ts';
import type { HookRequest, HookRunner } from './types.ts';

type Given = 'projectDir' | 'spill';
type Computed = 'byEvent' | 'kinds' | 'withheld' | 'spent' | 'namedOff';

export interface HookRunnerOptions extends Pick<HookEngine, Given>, Partial<Omit<HookEngine, Given | Computed>> {
  readonly configured: readonly ConfiguredHook[];
  readonly kinds: readonly HookKind[];
}

export interface ConfigurableHookRunner extends HookRunner {
  readonly configured: readonly ConfiguredHook[];
  /** Settings changed: these hooks count from the next event on. */
  replaceConfigured(hooks: readonly ConfiguredHook[]): void;
  /** Each hook of the event: whether it would run, or why not. Runs nothing. */
  explain(request: HookRequest): readonly Selected[];
}

/** The hooks of a session. `has` costs one lookup. */
export function createHookRunner(options: HookRunnerOptions): ConfigurableHookRunner {
  let configured = options.configured;
  let engine = engineOf(options);
  return {
    get configured() {
      return configured;
    },
    has: (event) => engine.byEvent.has(event),
    run: (request) => executeHooks(engine, request),
    explain: (request) => selectFor(firedEvent(request), engine),
    replaceConfigured(hooks) {
      configured = hooks;
      engine = { ...engine, byEvent: groupByEvent(hooks) };
    },
  };
}

function engineOf({ configured, kinds, ...options }: HookRunnerOptions): HookEngine {
  // a copy, because reading process.env is a system call
  const env = options.env ?? { ...process.env };
  return {
    pid: process.pid,
    clock: systemClock,
    ids: systemIds,
    log: noLog,
    // without rules every `if` is unclear, and an unclear one lets the hook run
    matchesRule: () => 'unclear',
    lastText: () => undefined,
    evidence: () => undefined,
    emitsProgress: () => true,
    watchOutput: false,
    ...options,
    env,
    byEvent: groupByEvent(configured),
    kinds: new Map(kinds.map((kind) => [kind.type, kind])),
    withheld: withheldFrom('hook', env),
    spent: new Set(),
    namedOff: new Set(),
  };
}
