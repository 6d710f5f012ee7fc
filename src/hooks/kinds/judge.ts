import { lastJsonOf } from '../../schemas/findJson.ts';
import { type JudgeAnswer, JudgeAnswerSchema } from '../../schemas/hookOutputs.ts';
import type { HookReply } from '../outcome.ts';

/** How a judge must answer; the hook provides the condition. */
export const JUDGE_SYSTEM = [
  'You decide whether a condition about the work of a coding agent is met.',
  'Judge by what the conversation shows, not by what it claims: a command that was not run has no result.',
  'Answer with one JSON object and nothing else:',
  '{"ok": true} when the condition is met;',
  '{"ok": false, "reason": "…"} when it is not, where the reason tells the agent what is missing;',
  '{"ok": false, "reason": "…", "impossible": true} only when the agent cannot meet it by any further work.',
  'If you are asked for a text (a summary, a note) and not for a judgment: {"ok": true, "note": "the text"}.',
].join('\n');

export function repairPrompt(answer: string): string {
  const shown = answer.length > 2_000 ? `${answer.slice(0, 2_000)}…` : answer;
  return [
    'This was your answer, and it is not the JSON object that was asked for:',
    shown,
    'Give the same judgment as one JSON object: {"ok": true} or {"ok": false, "reason": "…"}; or, if it is a text that was asked for and not a judgment, {"ok": true, "note": "the text"}. Nothing else.',
  ].join('\n\n');
}

/** Puts the event where `$ARGUMENTS` stands, or after the prompt; `\$` is a dollar sign. */
export function fillArguments(prompt: string, json: string): string {
  let used = false;
  const filled = prompt.replaceAll(/\\\$|\$ARGUMENTS\b/g, (found) => {
    if (found === '\\$') return '$';
    used = true;
    return json;
  });
  return used ? filled : `${filled}\n\nARGUMENTS: ${json}`;
}

/** Finds the judgment in a model's answer. Of several the last counts: a model may quote the format before it uses it. */
export const findJudgment = (text: string): JudgeAnswer | undefined => lastJsonOf(JudgeAnswerSchema, text);

/** A judgment as a hook's reply: a block, unless the condition is met or `impossible` is accepted. */
export function judgmentReply(
  answer: JudgeAnswer,
  how: { readonly continues: boolean; readonly acceptsImpossible: boolean },
): HookReply {
  if (answer.ok) return { ...(answer.note?.trim() && { systemMessage: answer.note.trim() }), specific: {} };
  const reason = answer.reason?.trim() || 'The condition is not met; no reason was given';
  if (how.acceptsImpossible && answer.impossible) {
    return {
      systemMessage: `the agent may stop, although its condition is not met and cannot be: ${reason}`,
      specific: {},
    };
  }
  return { block: { by: 'judge', reason, continues: how.continues }, specific: {} };
}
