import type * as z from 'zod';
import type { Clock } from '../system/clock.ts';
import type { ConfiguredHook, HookSettings, PluginPlace } from './configuredHook.ts';
import type { EventRow } from './events/eventRow.ts';
import type { HookOutcome } from './outcome.ts';
import type { HookEventName, HookSubject, RequestPrompt } from './types.ts';

export type MessageSource = 'assistant' | 'user' | 'tool_result';

/** One event, as all of its hooks see it. */
export interface FiredEvent {
  readonly name: HookEventName;
  /** With the value that matchers compare: `PostToolUse:Bash`, `Stop`. */
  readonly title: string;
  readonly row: EventRow;
  /** Common fields and the event's own. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The input, serialized once for all hooks. */
  readonly json: string;
  readonly subject: HookSubject;
  readonly toolUseId?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly requestPrompt?: RequestPrompt | undefined;
}

/** What one run of one hook may use. */
export interface HookContext {
  readonly hook: ConfiguredHook;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly projectDir: string;
  /** For commands: inherited variables and ours, without secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** A secret of the environment, for hooks that list its name in `allowedEnvVars`. */
  secret(name: string): string | undefined;
  readonly clock: Clock;
  lastText(source: MessageSource): string | undefined;
  /** Called with the hook's output while it runs, when it is watched. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', chunk: string) => void;
}

/** What placeholders in an entry stand for. */
export interface HookPlaces {
  readonly projectDir: string;
  readonly plugin?: PluginPlace;
}

/** What is known of a kind without running it, to read and explain settings. */
export interface KindFacts<Settings = HookSettings> {
  readonly type: string;
  /** Other names in settings. */
  readonly aliases?: readonly string[];
  readonly schema: z.ZodType<Settings>;
  /** The fields its schema knows. */
  readonly fields: readonly string[];
  label(settings: Settings): string;
  /** The command that an entry starts; absent for a kind that starts none. */
  starts?(settings: Settings, places: HookPlaces): { readonly file: string; readonly args: readonly string[] };
  /** When the kind, not the event, decides how long an answer may take. */
  readonly defaultTimeoutMs?: number;
}

/** A way of running hooks; its effects are injected when it is created. */
export interface HookKind<Settings = HookSettings> extends KindFacts<Settings> {
  /** Never throws: what goes wrong is an outcome. */
  run(settings: Settings, event: FiredEvent, context: HookContext): Promise<HookOutcome>;
}

/** Hides a kind's own settings type in a registry; its schema checks the settings. */
export function defineKind<Settings>(kind: HookKind<Settings>): HookKind {
  return kind as unknown as HookKind;
}

export function defineFacts<Settings>(facts: KindFacts<Settings>): KindFacts {
  return facts as unknown as KindFacts;
}
