import type { HookSource } from '../../hooks/configuredHook.ts';
import type { HookOutcome } from '../../hooks/outcome.ts';
import type { HookEnd } from '../../hooks/verdict.ts';
import type { ModelSpend, SpendLedger } from '../../models/ledger.ts';
import type { SessionEvent } from '../../query/prompt/runSession.ts';
import type { PromptEnd } from '../../query/prompt/submitPrompt.ts';
import type { EntryOf, SpendFacts } from '../../schemas/ledger.ts';
import { textOf } from '../../session/conversation.ts';
import type { ConversationLog } from '../../session/conversationLog.ts';
import { evidenceOf } from '../../session/evidence/evidenceOf.ts';
import { recordedEvidence } from '../../session/evidence/transcriptEvidence.ts';
import { briefReason, claimOf, folderOf, type NewEntry, recordEntry, redacted, subjectOf } from '../../stop/ledger.ts';
import type { GateWorld } from '../../stop/world.ts';
import { ownValue } from '../../system/ownValue.ts';
import type { World } from '../../system/world.ts';
import type { GatheredSession } from './gatherSession.ts';
import { OWN_HOOKS } from './ownGates.ts';

interface RecordsFacts {
  readonly world: World;
  readonly gathered: Pick<GatheredSession, 'history' | 'armed' | 'keeps'>;
  readonly ledger: SpendLedger;
  readonly log: ConversationLog;
  /** Called once with a sentence when a line cannot be written. */
  readonly warn: (sentence: string) => void;
}

interface EndedTurn {
  /** The typed reason, as the result has it. */
  readonly ending: string;
  readonly words: string;
  readonly durationMs: number;
}

/** Its end records what was spent after the last turn. */
export interface SessionRecords extends AsyncDisposable {
  started(source: string): void;
  hookEnded(end: HookEnd): void;
  /** Takes what a budget decided from what a turn emits. */
  event(event: SessionEvent): void;
  turnEnded(end: PromptEnd, facts: EndedTurn): Promise<void>;
}

/** The decisions of our own agent's session, in the same ledger as those of gates. */
export function sessionRecords({ gathered, world, ledger, log, warn }: RecordsFacts): SessionRecords {
  const { sessionId } = gathered.history;
  const { env, stopgateHome, clock } = world;
  const here = { ...world, env: { ...env, CLAUDE_PROJECT_DIR: world.cwd } };
  const gateWorld: GateWorld = {
    ...here,
    hostPid: process.pid,
    asker: { name: 'stopgate', demand: async () => 'order' },
  };
  const subject = subjectOf({ session_id: sessionId }, folderOf({}, here.env), gateWorld);
  let failed = false;
  const failure = (sentence: string | null) => {
    if (sentence !== null && !failed) warn(sentence.replace(/^Stopgate: /, ''));
    failed ||= sentence !== null;
  };
  const record = (entry: NewEntry) => failure(recordEntry(entry, { stopgateHome, clock, subject }));
  const spent = spendSinceLast(ledger);
  const receipt = async () => {
    // loading what signs takes longer than a turn without checks may pay for; `stopgate receipt` signs then
    if (gathered.armed.sentence === null) return;
    const { readSession, writeReceipt } = await import('../../stop/receipts/atTurnEnd.ts');
    const entries = readSession(stopgateHome, sessionId);
    failure(writeReceipt(stopgateHome, sessionId, entries));
  };
  return {
    started: (source) => record({ type: 'sessionStart', source, ending: null }),
    hookEnded: (end) => {
      const entry = hookEntry(end, env);
      if (entry !== null) record(entry);
    },
    event: (event) => {
      const entry = budgetEntry(event);
      if (entry !== null) record(entry);
    },
    turnEnded: async (end, { ending, words, durationMs }) => {
      const limit = limitEntry(end, words);
      if (limit !== null) record(limit);
      record({
        type: 'end',
        scope: 'turn',
        ending,
        reason: briefReason(words, env),
        durationMs: Math.round(durationMs),
        spend: spent(),
        // --no-session-persistence: nothing of the conversation is kept
        ...(gathered.keeps && {
          ...claimOf({ last_assistant_message: lastAnswer(log) }, env),
          evidence: recordedEvidence(evidenceOf(log.messages()), (text) => redacted(text, env)),
        }),
      });
      await receipt();
    },
    [Symbol.asyncDispose]: async () => {
      const late = spent();
      if (late === null) return;
      record({ type: 'spend', source: 'background', spend: late });
      await receipt();
    },
  };
}

function lastAnswer(log: ConversationLog): string {
  const messages = log.messages();
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages.at(i);
    if (message?.type === 'assistant' && !message.apiError) return textOf(message);
  }
  return '';
}

/** Null when nothing was spent since the last call. */
function spendSinceLast(ledger: SpendLedger): () => SpendFacts | null {
  let before: ModelSpend | null = null;
  let sources: ReadonlyMap<string, number> = new Map();
  return () => {
    const { total } = ledger;
    const now = ledger.bySource();
    const minus = (pick: (one: ModelSpend) => number) => pick(total) - (before === null ? 0 : pick(before));
    const requests = minus((one) => one.requests);
    if (requests === 0) return null;
    const usd = minus((one) => one.unpricedRequests) > 0 ? null : minus((one) => one.usd);
    const bySource = Object.fromEntries(
      [...now].map(([name, cost]) => [name, cost - (sources.get(name) ?? 0)]).filter(([, cost]) => cost !== 0),
    );
    const spend = {
      ...{ usd, requests, bySource },
      outputTokens: minus((one) => one.usage.outputTokens),
      inputTokens: minus(({ usage }) => usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens),
      estimatedRequests: minus((one) => one.estimatedRequests),
    };
    before = total;
    sources = now;
    return spend;
  };
}

/** Each of their answers is a verdict about the end of a turn. */
const DECIDES: ReadonlySet<string> = new Set(['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle']);

type Env = Readonly<Record<string, string>>;
type Verdict = Pick<EntryOf<'hook'>, 'verdict' | 'reason'>;

/** Null for a hook that decided nothing. */
export function hookEntry({ hook, outcome }: HookEnd, env: Env): NewEntry | null {
  const own = hook.source === LIBRARY ? ownValue(OWN_HOOKS, hook.label) : undefined;
  if (own === 'recorded' || outcome.type === 'background') return null;
  const { verdict, reason } = verdictOf(outcome);
  if (verdict === 'passed' && (!DECIDES.has(hook.event) || own !== undefined)) return null;
  const durationMs = Math.round(outcome.printed.durationMs);
  const words = briefReason(reason, env);
  if (own === 'landing') {
    return { type: 'budget', budget: 'time', decision: 'refused', reason: words, source: hook.label, durationMs };
  }
  const place = hook.line === undefined ? hook.file : `${hook.file}:${hook.line}`;
  const source = hook.file === '' ? hook.source : `${place} ${hook.path}`;
  return {
    type: 'hook',
    event: hook.event,
    hook: briefReason(hook.label, env),
    source,
    verdict,
    reason: words,
    durationMs,
  };
}

const LIBRARY: HookSource = 'library';

const PERMISSIONS = { allow: 'allowed', ask: 'asked', defer: 'deferred', deny: 'blocked' } as const;

function verdictOf(outcome: Exclude<HookOutcome, { type: 'background' }>): Verdict {
  if (outcome.type === 'cancelled') return { verdict: 'cancelled', reason: 'it was interrupted' };
  if (outcome.type === 'failed') return { verdict: 'failed', reason: outcome.message };
  const { block, prevent, permission, updatedInput, updatedToolOutput } = outcome.reply;
  if (prevent !== undefined) return { verdict: 'ended', reason: prevent };
  if (block) return { verdict: 'blocked', reason: block.reason };
  if (permission) return { verdict: PERMISSIONS[permission.decision], reason: permission.reason };
  return { verdict: updatedInput || updatedToolOutput ? 'changed' : 'passed', reason: '' };
}

/** The decisions of a token budget; null for other events. */
export function budgetEntry(event: SessionEvent): NewEntry | null {
  const tokens = { type: 'budget', budget: 'tokens', source: 'token budget' } as const;
  if (event.type === 'token_budget' && event.continuationCount > 0) {
    const { pct, turnTokens, budget, continuationCount } = event;
    const reason = `sent back at ${pct}% (${turnTokens} of ${budget} output tokens), continuation ${continuationCount}`;
    return { ...tokens, decision: 'continued', reason };
  }
  const isOver = event.type === 'system' && event.subtype === 'token_budget';
  return isOver ? { ...tokens, decision: 'ended', reason: event.content } : null;
}

const LIMITS = {
  budget_exhausted: { budget: 'money', source: '--max-budget-usd' },
  tokens_exhausted: { budget: 'tokens', source: '--token-limit' },
  max_turns: { budget: 'requests', source: '--max-turns' },
} as const;

function limitEntry({ reason }: PromptEnd, words: string): NewEntry | null {
  if (!(reason in LIMITS)) return null;
  return { type: 'budget', decision: 'ended', ...LIMITS[reason as keyof typeof LIMITS], reason: words };
}
