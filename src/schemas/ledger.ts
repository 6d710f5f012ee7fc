import * as z from 'zod';
import { evidence } from './evidence.ts';
import { gateEnding } from './gateDecision.ts';

const text = z.string();

/** Who decided where; every line has it. */
const about = {
  /** ISO 8601. */
  at: text,
  session: text,
  /** Of the configuration, or the project. */
  folder: text,
  /** Which agent: `claudeCode`, `stopgate`, … */
  agent: text,
  /** The agent's process, which can have several sessions; null when the host does not provide it. */
  hostPid: z.number().nullable(),
  launch: text.nullable(),
  worker: text.nullable(),
};

/** The files that a stop was about. */
export const treeFacts = z.lazy(() =>
  z.object({
    /** Of all files that count for the checks. */
    digest: text,
    head: text.nullable(),
    /** HEAD when the session began. */
    startCommit: text.nullable(),
    /** Of `git diff START`; null when it could not be taken. */
    diffSha256: text.nullable(),
    /** Since the start of the session, committed or not; the first ones. Without a start commit, only what is not committed. */
    files: z.array(text).readonly(),
    fileCount: z.number(),
  }),
);
export type TreeFacts = z.output<typeof treeFacts>;

/** What a model decided about work whose checks had passed. */
export const judgeFacts = z.lazy(() =>
  z.object({
    /** `none`: it gave no verdict. */
    verdict: z.enum(['ok', 'rejected', 'none']),
    reason: text,
    /** Besides the task itself. */
    criteria: z.array(text).readonly(),
    /** Null when none was reached. */
    model: text.nullable(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    requests: z.number(),
    /** Null when a price is not known. */
    usd: z.number().nullable(),
    /** Parts of the diff that did not fit into the question. */
    notShown: z.array(text).readonly(),
  }),
);
export type JudgeFacts = z.output<typeof judgeFacts>;

/** What a process spent since its last line about it. */
export const spendFacts = z.lazy(() =>
  z.object({
    /** Null when a price is not known. */
    usd: z.number().nullable(),
    outputTokens: z.number(),
    inputTokens: z.number().optional(),
    requests: z.number().optional(),
    /** Replies that broke off, whose tokens are estimated. */
    estimatedRequests: z.number().optional(),
    /** In US dollars: turn, subagent, compact, hook, judge, background. */
    bySource: z.record(text, z.number()).optional(),
  }),
);
export type SpendFacts = z.output<typeof spendFacts>;

const sessionStart = z.lazy(() =>
  z.object({
    ...about,
    type: z.literal('sessionStart'),
    /** `startup`, `resume`, … */
    source: text.optional(),
    /** Checks stand before its stop: what they were must be on record when it stops. */
    armed: z.boolean().optional(),
    ending: z.null().default(null),
  }),
);

/** The gate's answer to one stop. */
const stop = z.lazy(() =>
  z.object({
    ...about,
    type: z.literal('stop'),
    ending: gateEnding,
    durationMs: z.number(),
    /** The agent's last words, cut. */
    claim: text.optional(),
    tree: treeFacts.optional(),
    evidence: evidence.optional(),
    judge: judgeFacts.optional(),
  }),
);

/** The end of a run that did not just complete: it left processes, or nothing happened. */
const run = z.lazy(() => z.object({ ...about, type: z.literal('run'), ending: gateEnding, durationMs: z.number() }));

/** How a hook of our own agent answered. */
const hook = z.lazy(() =>
  z.object({
    ...about,
    type: z.literal('hook'),
    event: text,
    hook: text,
    /** File and entry. */
    source: text,
    verdict: z.enum(['passed', 'blocked', 'ended', 'allowed', 'asked', 'deferred', 'changed', 'failed', 'cancelled']),
    reason: text,
    durationMs: z.number(),
  }),
);

const budget = z.lazy(() =>
  z.object({
    ...about,
    type: z.literal('budget'),
    budget: z.enum(['tokens', 'money', 'time', 'requests']),
    decision: z.enum(['continued', 'refused', 'ended']),
    reason: text,
    source: text,
    durationMs: z.number().optional(),
  }),
);

const waiver = z.lazy(() => z.object({ ...about, type: z.literal('waiver'), check: text, reason: text, by: text }));

/** A turn of our own agent or a whole launch is over. */
const end = z.lazy(() =>
  z.object({
    ...about,
    type: z.literal('end'),
    scope: z.enum(['turn', 'launch']),
    /** The typed reason: `completed`, `budget_exhausted`, `expired`, … */
    ending: text,
    /** The same in words; empty for one that simply completed. */
    reason: text,
    durationMs: z.number(),
    spend: spendFacts.nullable(),
    claim: text.optional(),
    evidence: evidence.optional(),
  }),
);

/** Spent after the last turn: work in the background. */
const spend = z.lazy(() => z.object({ ...about, type: z.literal('spend'), source: text, spend: spendFacts }));

/** Later lines are missing. */
const capped = z.lazy(() =>
  z.object({
    ...about,
    type: z.literal('capped'),
    reason: text,
    /** No decision at all is recorded any more. */ isFull: z.boolean().optional(),
  }),
);

/** One decision about a session. */
export const ledgerEntry = z.lazy(() =>
  z.discriminatedUnion('type', [sessionStart, stop, run, hook, budget, waiver, end, spend, capped]),
);

export type LedgerEntry = z.output<typeof ledgerEntry>;
export type EntryOf<Type extends LedgerEntry['type']> = Extract<LedgerEntry, { type: Type }>;
/** The start of a session, a stop with its answer, or the end of a run that did not just complete. */
export type GateDecision = EntryOf<'sessionStart' | 'stop' | 'run'>;
