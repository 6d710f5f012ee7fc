import { type Clock, systemClock } from '../system/clock.ts';
import { type Ids, systemIds } from '../system/ids.ts';
import { type LogEvent, noLog } from '../system/log.ts';
import { withheldFrom } from '../system/secretPolicy.ts';
import type { ConfiguredHook } from './configuredHook.ts';
import { groupByEvent, type HookEngine } from './engine.ts';
import { executeHooks } from './executeHooks.ts';
import { firedEvent, selectFor } from './firedEvent.ts';
import type { HookKind } from './kind.ts';
import type { Selected } from './select.ts';
import type { HookRequest, HookRunner } from './types.ts';

export interface HookRunnerOptions extends Pick<HookEngine, 'projectDir' | 'spill' | 'envFile' | 'onEnd'> {
  readonly configured: readonly ConfiguredHook[];
  readonly kinds: readonly HookKind[];
  readonly env?: HookEngine['env'];
  readonly pid?: number;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: LogEvent;
  readonly matchesRule?: HookEngine['matchesRule'];
  readonly lastText?: HookEngine['lastText'];
  readonly emitsProgress?: HookEngine['emitsProgress'];
  readonly watchOutput?: boolean;
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

function engineOf(options: HookRunnerOptions): HookEngine {
  const { configured, kinds, projectDir, spill, envFile, onEnd } = options;
  // a copy, because reading process.env is a system call
  const env = options.env ?? { ...process.env };
  return {
    byEvent: groupByEvent(configured),
    kinds: new Map(kinds.map((kind) => [kind.type, kind])),
    projectDir,
    spill,
    ...(envFile !== undefined && { envFile }),
    ...(onEnd && { onEnd }),
    env,
    withheld: withheldFrom('hook', env),
    pid: options.pid ?? process.pid,
    clock: options.clock ?? systemClock,
    ids: options.ids ?? systemIds,
    log: options.log ?? noLog,
    // without rules every `if` is unclear, and an unclear one lets the hook run
    matchesRule: options.matchesRule ?? (() => 'unclear'),
    lastText: options.lastText ?? (() => undefined),
    emitsProgress: options.emitsProgress ?? (() => true),
    watchOutput: options.watchOutput ?? false,
    spent: new Set(),
  };
}
