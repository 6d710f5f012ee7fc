import type { HookFailure } from '../outcome.ts';
import type { HookEventName, HookPermission } from '../types.ts';

/** Kinds that settings can name; functions may be on any event. */
export type SettingsKind = 'command' | 'http' | 'mcp_tool' | 'prompt' | 'agent';

/**
 * The effect of exit 2 and `decision: "block"`: `blocks` prevents the action; `showsModel` it already happened, so the
 * model reads the reason; `ends` ends the turn; `showsPerson` only shows the reason; `ignored` not even that.
 */
export type BlockEffect = 'blocks' | 'showsModel' | 'ends' | 'showsPerson' | 'ignored';

/** Merges the values of several hooks for one field. */
export type MergeSpecific = (earlier: unknown, later: unknown) => unknown;

export interface BlockWords {
  /** `PostToolUse:Bash`. */
  readonly title: string;
  /** The hook as configured. */
  readonly label: string;
  /** Already with `[label]: ` where the protocol wants it. */
  readonly reason: string;
}

/** Everything the engine knows of an event. Code uses the row; it never compares the name. */
export interface EventRow {
  readonly name: HookEventName;
  /** Whether this agent ever fires it; library users may fire any. */
  readonly fired: boolean;
  /** The input field that matchers compare. */
  readonly matcherField: string | null;
  /** What matchers compare with; undefined: every hook runs. */
  matchValue(input: Readonly<Record<string, unknown>>): string | undefined;
  /** Other names of a value for matchers. */
  readonly alsoNamed: ReadonlyMap<string, readonly string[]>;
  /** `names`: commas, hyphens and spaces are plain text too. `bars`: only letters, digits, `_` and `|` are. */
  readonly matcherSyntax: 'names' | 'bars';
  readonly kinds: readonly SettingsKind[];
  /** For kinds that have no default of their own. */
  readonly timeoutMs: number;
  /** One budget for all hooks together, instead of a timeout each. */
  readonly sharedBudgetMs?: number;
  readonly onBlock: BlockEffect;
  /** When the block only counts for some inputs. */
  canBlock(input: Readonly<Record<string, unknown>>): boolean;
  /** The effect of a judge's `ok: false`: the row's block, also the end of the turn unless it continues, or nothing. */
  readonly onJudgedNo: 'blocks' | 'endsUnlessContinued' | 'ignored';
  /** Failures that block regardless of the entry. */
  readonly blockingFailures: readonly HookFailure[];
  /** A library callback that times out blocks here. */
  readonly callbackTimeoutBlocks: boolean;
  /** Whether `onFailure: "block"` acts; ours, `onError`, acts wherever something can block. */
  readonly honorsOnFailure: boolean;
  /** Whether `continue: false` ends the turn. */
  readonly prevents: boolean;
  /** The text for that; the reason is empty when the hook gave none. */
  preventText(reason: string): string;
  /** Whether `additionalContext` reaches the model. */
  readonly givesContext: boolean;
  /** How standard output that is not an answer is used. */
  readonly plainStdout: 'context' | 'worktreePath' | 'instructions' | 'ignored';
  readonly systemMessage: 'person' | 'model' | 'ignored';
  readonly permissions: readonly HookPermission['decision'][];
  readonly updates: 'input' | 'output' | 'nothing';
  /** Other `hookSpecificOutput` fields that count, and how those of several hooks are merged. */
  readonly specific: Readonly<Record<string, MergeSpecific>>;
  /** A block voids the other fields. */
  readonly blockVoidsSpecific: boolean;
  readonly evaluatesIf: boolean;
  readonly hasPermissionMode: boolean;
  /** Whether hooks are given `effort` and CLAUDE_EFFORT. */
  readonly hasEffort: boolean;
  /** Whether hooks get what the turn did. */
  readonly hasEvidence: boolean;
  /** Whether commands may leave variables for later ones in `CLAUDE_ENV_FILE`. */
  readonly hasEnvFile: boolean;
  blockText(words: BlockWords): string;
  /** Whether additional context is introduced with the matched value: `PostToolUse:Bash`. */
  readonly contextNamesMatch: boolean;
  /** What several hooks add is one text. */
  readonly joinsContexts: boolean;
}

export const lastWins: MergeSpecific = (_earlier, later) => later;
export const anyTrue: MergeSpecific = (earlier, later) => earlier === true || later === true;
export const lines: MergeSpecific = (earlier, later) => `${earlier}\n${later}`;
export const union: MergeSpecific = (earlier, later) => [...new Set([...asList(earlier), ...asList(later)])];

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const ALL_KINDS: readonly SettingsKind[] = ['command', 'http', 'mcp_tool', 'prompt', 'agent'];
export const WITHOUT_MODEL: readonly SettingsKind[] = ['command', 'http', 'mcp_tool'];

type RowFacts = Partial<Omit<EventRow, 'name' | 'matchValue'>> & { readonly matchValue?: EventRow['matchValue'] };

/** A row from what differs from the defaults. */
export function eventRow(name: HookEventName, facts: RowFacts): EventRow {
  const matcherField = facts.matcherField ?? null;
  return {
    name,
    fired: true,
    matchValue: (input) => (matcherField === null ? undefined : textOrNothing(input[matcherField])),
    alsoNamed: new Map(),
    matcherSyntax: 'names',
    kinds: ALL_KINDS,
    timeoutMs: 600_000,
    onBlock: 'ignored',
    canBlock: () => true,
    onJudgedNo: 'blocks',
    blockingFailures: [],
    callbackTimeoutBlocks: false,
    honorsOnFailure: true,
    prevents: false,
    preventText: (reason) => reason || 'Execution stopped by hook',
    givesContext: false,
    plainStdout: 'ignored',
    systemMessage: 'person',
    permissions: [],
    updates: 'nothing',
    specific: {},
    blockVoidsSpecific: false,
    evaluatesIf: false,
    hasPermissionMode: false,
    hasEffort: false,
    hasEvidence: false,
    hasEnvFile: false,
    blockText: ({ reason }) => reason,
    contextNamesMatch: false,
    joinsContexts: false,
    ...facts,
    matcherField,
  };
}

export function textOrNothing(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
