import { allJsonOf } from '../../../schemas/findJson.ts';
import { JudgeAnswerSchema } from '../../../schemas/hookOutputs.ts';
import { beginning, oneLine } from '../../../system/sentence.ts';

export type Judgement =
  | { readonly type: 'ok' | 'rejected'; readonly reason: string }
  /** The problem completes "the model …". */
  | { readonly type: 'unreadable'; readonly problem: string };

const LONGEST_REASON = 2_000;
const SHOWN = 200;

/**
 * The judgment in a model's answer, in prose or a fence too. Several that differ are none: a model that quotes what it was shown
 * must not be taken for one that agrees with it.
 */
export function readJudgement(text: string): Judgement {
  const [first, ...others] = allJsonOf(JudgeAnswerSchema, text);
  if (first === undefined) return { type: 'unreadable', problem: `answered without a judgment: ${shown(text)}` };
  if (others.some(({ ok }) => ok !== first.ok))
    return { type: 'unreadable', problem: `answered with judgments that differ: ${shown(text)}` };
  const reason = [first, ...others].findLast((one) => one.reason?.trim())?.reason ?? '';
  if (first.ok) return { type: 'ok', reason: cleaned(reason) };
  return { type: 'rejected', reason: cleaned(reason) || 'it gave no reason' };
}

/** For stores and receipts: PostgreSQL has neither NUL nor half of a character. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed();

const cleaned = (text: string) => beginning(storable(text).trim(), LONGEST_REASON);

const shown = (text: string) => oneLine(storable(text), SHOWN) || '(nothing)';
