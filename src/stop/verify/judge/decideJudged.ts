import type { JudgeRule } from '../../checks/types.ts';
import type { Verdict } from '../verdict.ts';
import type { JudgeAnswer } from './askJudge.ts';

export interface JudgedFacts {
  /** Of the checks, which all passed: otherwise no judge is asked. */
  readonly checks: Verdict;
  readonly judgement: JudgeAnswer['judgement'];
  readonly rule: Pick<JudgeRule, 'onError' | 'maxRejections'>;
  /** By a judge, of earlier attempts of the task. */
  readonly rejections: number;
}

export type JudgedDecision =
  /** `hold`: why a person has to look at it before another attempt. */
  | { readonly type: 'settle'; readonly verdict: Verdict; readonly hold: string | null }
  /** It passed its checks, and is not done without a verdict. */
  | { readonly type: 'wait'; readonly reason: string };

/** What a judge can change: a pass into a rejection, or with `"onError": "block"` into a wait. It never makes a pass. */
export function decideJudged({ checks, judgement, rule, rejections }: JudgedFacts): JudgedDecision {
  const beside = (words: string): Verdict => ({ ...checks, reason: `${checks.reason.replace(/\.$/, '')}; ${words}.` });
  if (judgement.type === 'ok') return { type: 'settle', verdict: beside('judge: ok'), hold: null };
  if (judgement.type === 'none') {
    const words = noVerdict(judgement.reason);
    if (rule.onError === 'block') return { type: 'wait', reason: words };
    return { type: 'settle', verdict: beside(words), hold: null };
  }
  const count = rejections + 1;
  const times = count === 1 ? 'once' : `${count} times`;
  const hold =
    count < rule.maxRejections ? null : `its judge rejected it ${times}, the last time: ${sentence(judgement.reason)}`;
  return { type: 'settle', verdict: rejected(checks, judgement.reason), hold };
}

/** The same words in logs and receipts. */
const noVerdict = (reason: string) => `judge: no verdict (${reason.replace(/\.$/, '')})`;

const HINT =
  'A model that judged the diff against the task found this. Fix it; if it is wrong, explain why in your result.';

function rejected({ ending }: Verdict, reason: string): Verdict {
  const sentenceOf = `The judge rejected the work, whose checks passed: ${sentence(reason)}`;
  return {
    type: 'reject',
    ending: { type: 'blocked', reason: `rejected by the judge; ${ending.reason}`, checks: ending.checks },
    reason: sentenceOf,
    notes: `${sentenceOf}\n\n${HINT}`,
  };
}

const sentence = (text: string) => (/[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;

/** How long a task waits for a verdict before the judge is asked again, after so many times without one. */
export const waitForJudge = (asks: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(asks - 1, 10));
