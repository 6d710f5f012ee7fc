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

import { type BackgroundWords, noBackgroundWords } from './backgroundWords.ts';

import { onlyCleanups, type StopWork } from './stop/stopWork.ts';

/** Where messages are written before anyone is told of them. */
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
  readonly background: BackgroundWords;
  readonly transcript: TranscriptWriter;
  /** A subagent's own transcript. */
  readonly openAgentTranscript: (agentId: string) => { readonly path: string; readonly writer: TranscriptWriter };
  readonly ledger: SpendLedger;
  readonly costOf: CostOf;
  /** For a subagent that was asked to use another model. */
  readonly resolveModel: (name: string) => ResolvedModel;
  /** What happens around a stop besides hooks; `background/` has it. */
  readonly stopWork: StopWork;
  readonly logEvent: LogEvent;
  /** The slash command that a prompt begins with, if there is one. */
  readonly findCommand: (prompt: string) => Promise<FoundCommand | undefined>;
  /** Kinds of subagent that files define. */
  readonly agents: readonly AgentDefinition[];
  /** Instructions of folders below the project, found when a file there is read. */
  readonly nestedInstructions: NestedInstructions;
  /** Hooks asked to be told when these files change. */
  readonly watchPaths: (paths: readonly string[]) => void;
}

export function withDefaults(deps: Partial<QueryDeps> = {}): QueryDeps {
  return {
    clock: systemClock,
    ids: systemIds,
    random: Math.random,
    hooks: noHooks,
    background: noBackgroundWords,
    transcript: noTranscript,
    openAgentTranscript: () => ({ path: '', writer: noTranscript }),
    ledger: new SpendLedger(),
    costOf,
    resolveModel: (name) => resolveModel(name, process.env),
    stopWork: onlyCleanups(deps.logEvent ?? noLog),
    logEvent: noLog,
    findCommand: async () => undefined,
    agents: [],
    nestedInstructions: noNestedInstructions,
    watchPaths: () => {},
    ...deps,
  };
}
