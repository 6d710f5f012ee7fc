import type { Clock } from '../system/clock.ts';
import type { Ids } from '../system/ids.ts';
import type { LogEvent } from '../system/log.ts';
import type { ConfiguredHook } from './configuredHook.ts';
import type { HookKind, MessageSource } from './kind.ts';
import type { MatchesRule } from './select.ts';
import type { Spill } from './spill.ts';
import type { HookEventName, HookSubject } from './types.ts';
import type { HookEnd } from './verdict.ts';

/** Everything a run of hooks uses. A run in progress keeps the one it started with. */
export interface HookEngine {
  readonly byEvent: ReadonlyMap<HookEventName, readonly ConfiguredHook[]>;
  readonly kinds: ReadonlyMap<string, HookKind>;
  readonly projectDir: string;
  /** What commands inherit, except for its secrets. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The names of those secrets; a hook gets those that its entry lists. */
  readonly withheld: ReadonlySet<string>;
  readonly pid: number;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: LogEvent;
  /** Where hooks of some events leave variables. */
  readonly envFile?: string;
  /** Called before each hook: why it may not run now although it was configured. Null: it may. */
  readonly whyOff?: (hook: ConfiguredHook, cwd: string) => string | null;
  /** Hooks that were named as off; each is named once. */
  readonly namedOff: Set<string>;
  /** Evaluates `if`; permission rules live with the session. */
  readonly matchesRule: MatchesRule;
  /** The text of the last message of a source in the subject's conversation. */
  lastText(source: MessageSource, subject: HookSubject): string | undefined;
  /** What the subject's turn did, for events that decide about its end; undefined when it is not known. */
  evidence(subject: HookSubject): unknown;
  readonly spill: Spill;
  /** Called when a hook ended, before the verdict. */
  readonly onEnd?: (end: HookEnd) => void;
  /** Whether the start and end of each hook are emitted. */
  readonly emitsProgress: (event: HookEventName) => boolean;
  /** Whether the output of hooks is emitted while they run. */
  readonly watchOutput: boolean;
  /** `once` hooks that ran; kept when settings change. */
  readonly spent: Set<string>;
}

export function groupByEvent(hooks: readonly ConfiguredHook[]): ReadonlyMap<HookEventName, readonly ConfiguredHook[]> {
  return Map.groupBy(hooks, (hook) => hook.event);
}

/** Names an entry across reloads of its file. */
export function entryKey(hook: ConfiguredHook): string {
  return `${hook.source} ${hook.file} ${hook.path}`;
}
