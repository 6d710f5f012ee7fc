import { type HookRunner, noHooks } from '../hooks/types.ts';
import { SpendLedger } from '../models/ledger.ts';
import { type CostOf, costOf } from '../models/prices.ts';
import { type ResolvedModel, resolveModel } from '../models/providers.ts';
import type { AgentDefinition } from '../session/agents/loadAgents.ts';
import type { FoundCommand } from '../session/commands/findCommand.ts';
import { type NestedInstructions, noNestedInstructions } from '../session/instructions/nestedInstructions.ts';
import type { Message } from '../session/messages.ts';
import { type Clock, systemClock } from '../system/clock.ts';
import { type Ids, systemIds } from '../system/ids.ts';
import { type LogEvent, noLog } from '../system/log.ts';
import type { QueryEvent } from './events.ts';
import type { Person } from './person.ts';
import { onlyCleanups, type QuerySource, type StopWork } from './stop/stopWork.ts';
import type { Terminal } from './terminal.ts';
import type { ToolUseContext } from './toolUseContext.ts';

/** What a session knows of the work, besides the conversation. */
export interface WorkProgress {
  /** A digest of the files, untracked ones included; null when unknown. */
  fingerprint(): Promise<string | null>;
  /** Whether the last stop met the definition of done. */
  isDone(): boolean;
  /** Whether a hook is one of our own gates, which have limits of their own. */
  isOwnGate(hook: string): boolean;
}

const NO_PROGRESS: WorkProgress = {
  fingerprint: async () => null,
  isDone: () => false,
  isOwnGate: () => false,
};

/** Fixed when a turn starts. */
export interface QueryConfig {
  readonly querySource: QuerySource;
  readonly maxTurns: number | undefined;
  readonly maxBudgetUsd: number | undefined;
  /** Output tokens after which the turn ends; everything in the ledger counts. */
  readonly maxOutputTokens: number | undefined;
  readonly maxRetries: number;
  /** Consecutive blocked stops that are obeyed; 0 obeys all. */
  readonly stopHookBlockCap: number;
  /** Stops in a row that hooks send back without a change of files or tasks; 0 obeys all. */
  readonly stopHookStallCap: number;
  /** Stops that hooks send back although the definition of done is met; 0 obeys all. */
  readonly stopHookDoneCap: number;
  /** Stops that hooks send back in one turn, whatever changes; 0 obeys all. */
  readonly stopHookTurnCap: number;
  readonly autoCompact: boolean;
  /** Output tokens the turn is meant to use; null for none. */
  readonly tokenBudget: number | null;
  /** Subagents that run side by side. */
  readonly maxConcurrentSubagents: number;
  /** Nothing runs after the turn. */
  readonly bare: boolean;
}

export const DEFAULT_CONFIG: QueryConfig = {
  querySource: 'sdk',
  maxTurns: undefined,
  maxBudgetUsd: undefined,
  maxOutputTokens: undefined,
  maxRetries: 10,
  stopHookBlockCap: 8,
  stopHookStallCap: 20,
  stopHookDoneCap: 8,
  stopHookTurnCap: 100,
  autoCompact: true,
  tokenBudget: null,
  maxConcurrentSubagents: 20,
  bare: false,
};

export interface QueryParams {
  /** The conversation so far; the last message is what the turn answers. Already in the transcript. */
  readonly messages: Iterable<Message>;
  readonly systemPrompt: readonly string[];
  /** Sent to the model before the conversation (project instructions, the date); not part of the transcript. */
  readonly userContext?: Readonly<Record<string, string>>;
  /** Added to the system prompt (the state of the repository). */
  readonly systemContext?: Readonly<Record<string, string>>;
  readonly toolUseContext: ToolUseContext;
  readonly config?: Partial<QueryConfig>;
  readonly deps?: Partial<QueryDeps>;
}

/** `query` itself, for its own steps: a subagent is a turn of its own. */
export type Query = (params: QueryParams) => AsyncGenerator<QueryEvent, Terminal>;

/** The title of the session: a hook may change it, and the next run's hooks see it. */
export interface SessionTitle {
  current(): string | undefined;
  change(title: string): Promise<void>;
}

const NO_TITLE: SessionTitle = { current: () => undefined, change: async () => {} };

/** What background hooks leave for the model. */
interface BackgroundHookTexts {
  /** Since the last call. */
  take(): readonly string[];
  /** Resolves when no hook is left that could still wake the agent, or when the signal aborts. */
  wakersEnded(signal: AbortSignal): Promise<void>;
}

/** Where messages are written before they are emitted. */
interface TranscriptWriter {
  append(message: Message): void;
}

const noTranscript: TranscriptWriter = { append: () => {} };

/** Every effect a turn has, so that a test can run one without a disk, a clock or a network. */
export interface QueryDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  /** 0 ≤ n < 1; for jitter. */
  readonly random: () => number;
  readonly hooks: HookRunner;
  readonly background: BackgroundHookTexts;
  readonly transcript: TranscriptWriter;
  /** A subagent's own transcript. */
  readonly openAgentTranscript: (agentId: string) => { readonly path: string; readonly writer: TranscriptWriter };
  readonly ledger: SpendLedger;
  readonly costOf: CostOf;
  /** For a subagent that uses another model. */
  readonly resolveModel: (name: string) => ResolvedModel;
  /** What happens around a stop besides hooks; `background/` has it. */
  readonly stopWork: StopWork;
  /** What is known of the work at a stop. */
  readonly progress: WorkProgress;
  readonly logEvent: LogEvent;
  /** The slash command that a prompt begins with, if there is one. */
  readonly findCommand: (prompt: string) => Promise<FoundCommand | undefined>;
  /** Kinds of subagent that files define. */
  readonly agents: readonly AgentDefinition[];
  /** Instructions of folders below the project, found when a file there is read. */
  readonly nestedInstructions: NestedInstructions;
  /** Undefined in a headless run. */
  readonly person: Person | undefined;
  readonly title: SessionTitle;
  /** FileChanged hooks run when these files change. */
  readonly watchPaths: (paths: readonly string[]) => void;
}

export function withDefaults(deps: Partial<QueryDeps> = {}): QueryDeps {
  return {
    clock: systemClock,
    ids: systemIds,
    random: Math.random,
    hooks: noHooks,
    background: { take: () => [], wakersEnded: async () => {} },
    transcript: noTranscript,
    openAgentTranscript: () => ({ path: '', writer: noTranscript }),
    ledger: new SpendLedger(),
    costOf,
    resolveModel: (name) => resolveModel(name, process.env),
    stopWork: onlyCleanups(deps.logEvent ?? noLog),
    progress: NO_PROGRESS,
    logEvent: noLog,
    findCommand: async () => undefined,
    agents: [],
    nestedInstructions: noNestedInstructions,
    person: undefined,
    title: NO_TITLE,
    watchPaths: () => {},
    ...deps,
  };
}
