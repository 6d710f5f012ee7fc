import type { RestRecord } from '../../schemas/restRecord.ts';
import type { KeptSettlement } from '../../store/outbox/settlement.ts';
import type { Lease, Unavailable, Worker, WorkerFacts } from '../../store/types.ts';
import type { RunEnding } from '../decisions/restartBudget.ts';
import type { Beating } from './beatWhile.ts';
import type { TimedOut } from './watchDeadline.ts';

/** How an agent's process ended, and what its end means for the task that it still holds. */
export interface AgentEnd {
  readonly ending: RunEnding;
  /** Text for the record. */
  readonly why: string;
  /** With `rateLimited`: the provider's error. */
  readonly trouble?: { readonly error: string; readonly text: string } | undefined;
  /** It was ended because the time limit of its task had passed. */
  readonly timedOut?: TimedOut | undefined;
  /** It was ended, or not even started, because a budget of its task is used up. */
  readonly overBudget?: string | undefined;
  /** No agent was started, because its task has no folder here; `isFinal`: another attempt here would find the same. */
  readonly noFolder?: { readonly isFinal: boolean };
  /** It ended by itself, as one that has done its work, before it had to be ended. */
  readonly hasFinished?: boolean;
  /** Nothing was seen of it: no tool call, no answer. */
  readonly noWork?: boolean;
  /** Names the processes that it left running; they are ended. */
  readonly left?: string;
}

export interface RunningAgent {
  readonly ended: Promise<AgentEnd>;
  /** SIGTERM, then SIGKILL; resolves when its group is gone. */
  end(why: string): Promise<void>;
}

/** How to work on a task is passed in; this module handles who holds it, for how long, and how it ends. */
export interface WorkerRun extends Omit<Beating, 'incarnation' | 'over' | 'obey' | 'deliver' | 'heardAt'> {
  /** Reserved by the process that started this one; else the next one. */
  readonly incarnation?: number | undefined;
  readonly facts: WorkerFacts;
  /** Saves the uncommitted work of a worker that is gone. */
  readonly keepLost: (worker: Worker) => Promise<void>;
  /** True when the process of a worker on this host is known to be gone. */
  readonly isGone: (worker: Worker) => boolean;
  /** Why an agent cannot be started now; called before a task is claimed for it. */
  readonly whyNoAgent: () => string | null;
  readonly startAgent: (first: FirstTask) => Promise<RunningAgent>;
  /** Settles a task that the agent left unsettled and saves its work, on this machine first; true when the task is done. */
  readonly settleLeft: (lease: Lease, end: AgentEnd) => Promise<boolean>;
  /** Cleans up the folder after the agent is gone and its task is settled. */
  readonly leaveFolder: (lease: Lease) => Promise<void>;
  /** Shows why it starts no agent now, and until when (by this process's clock); null: it does. */
  readonly noteRest: (incarnation: number, rest: Omit<RestRecord, 'incarnation'> | null) => void;
  /** Verifies completed tasks that wait for it; before the next one is claimed. */
  readonly verifyCompleted?: () => Promise<void>;
  readonly newClaimKey: () => string;
  /** After a drain. */
  readonly drainMs: number;
  /** What was settled on this machine and is not in the store yet. */
  readonly kept: KeptWork;
  /** Where its store has moved while it had a task: nothing more is claimed then. */
  readonly movedTo?: () => string | null;
}

export interface KeptWork {
  of(attemptId: string): Promise<KeptSettlement | null>;
  isEmpty(): Promise<boolean>;
  /** Settles what agents had finished whose workers are gone. */
  finish?(): Promise<void>;
  /** Null when nothing is left to deliver to this store. */
  deliver(): Promise<Unavailable | null>;
}

export interface FirstTask {
  readonly incarnation: number;
  readonly prompt: string;
  readonly lease: Lease;
  /** Of the task. */
  readonly title: string;
  readonly body: string;
}

export type WorkerEnd =
  /** `ending` is recorded for the coordinator. */
  | { readonly type: 'stopped'; readonly ending: RunEnding; readonly reason: string }
  | { readonly type: 'occupied'; readonly reason: string }
  | { readonly type: 'superseded'; readonly reason: string }
  /** The agent could not be started, several times in a row. */
  | { readonly type: 'noAgent'; readonly reason: string }
  /** Its store has, and what it had begun is finished there. */
  | { readonly type: 'moved'; readonly reason: string }
  /** The store has another one. */
  | { readonly type: 'otherLease'; readonly reason: string }
  | { readonly type: 'unavailable'; readonly reason: string };
