import { tooLong } from '../../../hooks/kinds/bounded.ts';
import { type Clock, callAfter } from '../../../system/clock.ts';
import type { JudgeRule } from '../../checks/types.ts';
import { type Judgement, readJudgement } from './judgement.ts';
import { type JudgeQuestion, repairQuestion } from './judgeQuestion.ts';

/** What asking a judge cost. */
export interface JudgeSpend {
  /** Its full name; null when none was reached. */
  readonly model: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly requests: number;
  /** Null when a price is not known. */
  readonly usd: number | null;
}

export const NO_SPEND: JudgeSpend = { model: null, inputTokens: 0, outputTokens: 0, requests: 0, usd: 0 };

export type JudgeReply =
  | { readonly type: 'answered'; readonly text: string }
  /** `isFinal`: another try would end the same. */
  | { readonly type: 'failed'; readonly reason: string; readonly isFinal: boolean };

export interface ModelQuestion extends JudgeQuestion {
  readonly model: string | null;
  readonly signal: AbortSignal;
  /** Called with what each request cost, also of one that fails or is ended. */
  readonly onSpend: (spend: JudgeSpend) => void;
}

/** One request to the model of a judge; the wiring has its keys. */
export type AskJudgeModel = (question: ModelQuestion) => Promise<JudgeReply>;

export interface JudgeAnswer {
  readonly judgement: Exclude<Judgement, { type: 'unreadable' }> | { readonly type: 'none'; readonly reason: string };
  readonly spend: JudgeSpend;
}

interface Asking {
  readonly question: JudgeQuestion;
  readonly rule: JudgeRule;
  readonly mark: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly ask: AskJudgeModel;
}

/** Temporary failures of a provider are also repeated within a try. */
const TRIES = 2;
const RETRY_MS = 5_000;

/** Asks until there is a judgment, at most twice; null when it was interrupted. */
export async function askJudge(asking: Asking): Promise<JudgeAnswer | null> {
  const { rule, signal, clock } = asking;
  let spend = NO_SPEND;
  const onSpend = (more: JudgeSpend) => {
    spend = addSpend(spend, more);
  };
  for (let tries = 1; ; tries++) {
    const late = new AbortController();
    const cancel = callAfter(clock, rule.timeoutMs, () => late.abort());
    // a request that is ended ends by itself, and what it cost is known only then
    const tried = await tryOnce(asking, AbortSignal.any([signal, late.signal]), onSpend);
    cancel();
    if (signal.aborted) return null;
    const isLate = tried.type === 'failed' && late.signal.aborted;
    const found = isLate ? failed(tooLong(rule.timeoutMs)) : tried;
    if (found.type !== 'failed') return { judgement: found, spend };
    if (found.isFinal || tries >= TRIES) return { judgement: { type: 'none', reason: found.reason }, spend };
    await clock.sleep(RETRY_MS, signal);
    if (signal.aborted) return null;
  }
}

const failed = (reason: string, isFinal = false) => ({ type: 'failed' as const, reason, isFinal });

type Tried = Exclude<Judgement, { type: 'unreadable' }> | ReturnType<typeof failed>;

/** One question, and a second one when the answer has the wrong form. */
async function tryOnce(
  { question, rule, mark, ask }: Asking,
  signal: AbortSignal,
  onSpend: ModelQuestion['onSpend'],
): Promise<Tried> {
  const to = { model: rule.model, signal, onSpend };
  const first = await ask({ ...question, ...to });
  if (first.type === 'failed') return first;
  const judgement = readJudgement(first.text);
  if (judgement.type !== 'unreadable') return judgement;
  const second = await ask({ ...repairQuestion(question, first.text, mark), ...to });
  const repaired = second.type === 'answered' ? readJudgement(second.text) : judgement;
  return repaired.type === 'unreadable' ? failed(`the model ${repaired.problem}`) : repaired;
}

export function addSpend(one: JudgeSpend, other: JudgeSpend): JudgeSpend {
  return {
    model: other.model ?? one.model,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    requests: one.requests + other.requests,
    usd: one.usd === null || other.usd === null ? null : one.usd + other.usd,
  };
}
