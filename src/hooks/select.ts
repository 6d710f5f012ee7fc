import { perObject } from '../system/perObject.ts';
import type { ConfiguredHook } from './configuredHook.ts';
import type { EventRow } from './events/eventRow.ts';
import type { MessageSource } from './kind.ts';
import { matcherAccepts, messageAccepts } from './matcher.ts';

/** One permission rule against one call; `unclear` when the call cannot be analyzed. */
export type MatchesRule = (rule: string, toolName: string, toolInput: unknown) => boolean | 'unclear';

export interface SelectionFacts {
  readonly row: EventRow;
  readonly input: Readonly<Record<string, unknown>>;
  readonly matchesRule: MatchesRule;
  lastText(source: MessageSource): string | undefined;
  /** Whether a `once` hook already ran. */
  spent(hook: ConfiguredHook): boolean;
  /** Whether the kind was wired into this process. */
  canRun(kind: string): boolean;
}

export type Selected =
  | { readonly hook: ConfiguredHook; readonly matched: true }
  | { readonly hook: ConfiguredHook; readonly matched: false; readonly why: string };

/** Every hook of the event, with whether it runs now or why not. Pure: `hooks explain` shows exactly this. */
export function selectHooks(hooks: readonly ConfiguredHook[], facts: SelectionFacts): readonly Selected[] {
  const judged = hooks.map((hook) => ({ hook, why: whyNot(hook, facts) }));
  const running = runningOf(judged.flatMap(({ hook, why }) => (why === null ? [hook] : [])));
  return judged.map(({ hook, why: reason }) => {
    const why = reason ?? whyRepeated(hook, running);
    return why === null ? { hook, matched: true } : { hook, matched: false, why };
  });
}

function whyNot(hook: ConfiguredHook, facts: SelectionFacts): string | null {
  const reasons = REASONS.values().map((reason) => reason(hook, facts));
  return reasons.find((why) => why !== null) ?? null;
}

/** Measured: hooks of an agent's file run while that agent does, whether it is a subagent or the session itself. */
const otherAgent: Reason = ({ agent }, { input }) =>
  agent === undefined || agent === input.agent_type ? null : `it runs only while the agent "${agent}" does`;

type Reason = (hook: ConfiguredHook, facts: SelectionFacts) => string | null;

const kindRefused: Reason = (hook, { row, canRun }) => {
  const allowed = row.kinds.some((kind) => kind === hook.kind) || hook.source === 'library';
  if (!allowed) return `${hook.kind} hooks do not run on ${row.name}, only ${row.kinds.join(', ')}`;
  return canRun(hook.kind) ? null : `this process cannot run ${hook.kind} hooks`;
};

const matcherRefused: Reason = ({ matcher }, { row, input, lastText }) => {
  if (matcher === undefined) return null;
  if (typeof matcher === 'object') {
    const text = lastText(matcher.source);
    if (text === undefined) return `there is no ${matcher.source} message for the pattern "${matcher.pattern}"`;
    const found = messageAccepts(matcher, text);
    return found ? null : `the last ${matcher.source} message does not match "${matcher.pattern}"`;
  }
  const value = row.matchValue(input);
  if (value === undefined || matcherAccepts(matcher, value, row)) return null;
  return `the matcher "${matcher}" does not match ${row.matcherField} "${value}"`;
};

const conditionRefused: Reason = ({ settings }, { row, input, matchesRule }) => {
  // measured: an empty condition always holds
  if (settings.if === undefined || settings.if.trim() === '') return null;
  if (!row.evaluatesIf) return `\`if\` is only evaluated on tool events; with it a hook never runs on ${row.name}`;
  // best effort, as in Claude Code: for a call that cannot be analyzed the hook runs
  const met = matchesRule(settings.if, String(input.tool_name ?? ''), input.tool_input) !== false;
  return met ? null : `the call does not meet \`if\`: ${settings.if}`;
};

/** Measured: `once` only works in a skill's front matter; in a settings file it is ignored. */
const onceOver: Reason = (hook, { spent }) =>
  hook.settings.once === true && hook.source === 'skill' && spent(hook) ? 'it was to run once, and did' : null;

const REASONS: readonly Reason[] = [otherAgent, kindRefused, matcherRefused, conditionRefused, onceOver];

/**
 * Of identical entries, the one that runs. Measured: the last one, with its timeout. Ours alone: an `async` copy does not
 * replace one that is waited for, which would switch a gate off.
 */
function runningOf(hooks: readonly ConfiguredHook[]): ReadonlyMap<string, ConfiguredHook> {
  const running = new Map<string, ConfiguredHook>();
  for (const hook of hooks) {
    const key = identity(hook);
    const earlier = key === null ? undefined : running.get(key);
    if (key === null || (earlier && earlier.settings.async !== true && hook.settings.async === true)) continue;
    running.set(key, hook);
  }
  return running;
}

function whyRepeated(hook: ConfiguredHook, running: ReadonlyMap<string, ConfiguredHook>): string | null {
  const key = identity(hook);
  const runs = key === null ? hook : (running.get(key) ?? hook);
  return runs === hook ? null : `it is the same as ${runs.path} in ${runs.file}, which runs once`;
}

/** Measured: neither group, matcher nor these make a second hook of the same command; another `if` does. */
const NOT_IDENTITY: ReadonlySet<string> = new Set(
  'timeout statusMessage once name description async asyncRewake'.split(' '),
);

/** Fields with their default value. */
function isDefault(name: string, value: unknown): boolean {
  return (name === 'args' && Array.isArray(value) && value.length === 0) || (name === 'shell' && value === 'bash');
}

/**
 * Entries of settings files are compared, at every event; a plugin's or skill's copy is its own. Null: never the same as
 * another.
 */
const identity = perObject(({ kind, settings, source, file }: ConfiguredHook): string | null => {
  if (source === 'library') return null;
  const owner = source === 'plugin' || source === 'skill' ? `${source} ${file}` : 'settings';
  const fields = Object.entries({ ...settings, type: kind }).filter(
    ([name, value]) => !NOT_IDENTITY.has(name) && !isDefault(name, value),
  );
  return JSON.stringify([owner, fields.sort(([a], [b]) => (a < b ? -1 : 1))]);
});
