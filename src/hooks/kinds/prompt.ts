import type { JudgeAnswer } from '../../schemas/hookOutputs.ts';
import { type PromptHook, PromptHookSchema } from '../../schemas/hooks.ts';
import { defineKind, type HookKind, type KindFacts } from '../kind.ts';
import { failed } from '../outcome.ts';
import type { HookSubject } from '../types.ts';
import { bounded, unfinished } from './bounded.ts';
import { fillArguments, findJudgment, JUDGE_SYSTEM, judgmentReply, repairPrompt } from './judge.ts';

export const promptFacts: KindFacts<PromptHook> = {
  type: 'prompt',
  schema: PromptHookSchema,
  fields: Object.keys(PromptHookSchema.shape),
  label: ({ prompt }) => prompt,
  defaultTimeoutMs: 30_000,
};

export interface Question {
  readonly system: string;
  readonly prompt: string;
  readonly model?: string;
  readonly signal: AbortSignal;
  /** The judge sees what the agent did; a repair only needs the judge's own words. */
  readonly withConversation: boolean;
  readonly subject: HookSubject;
}

export type ModelAnswer =
  | { readonly type: 'ok'; readonly text: string }
  | { readonly type: 'failed'; readonly message: string };

/** One question to a model; the wiring chooses the model and the budget. */
export type AskModel = (question: Question) => Promise<ModelAnswer>;

/** Hooks that are a condition in plain language, judged by one model request. */
export function promptHook(askModel: AskModel): HookKind {
  return defineKind<PromptHook>({
    ...promptFacts,
    async run(settings, event, context) {
      const end = await bounded(context, (signal) =>
        judge(
          askModel,
          {
            system: JUDGE_SYSTEM,
            prompt: fillArguments(settings.prompt, event.json),
            ...(settings.model !== undefined && { model: settings.model }),
            signal,
            withConversation: true,
            subject: event.subject,
          },
          asksForText(settings.prompt),
        ),
      );
      if (end.type !== 'done') return unfinished(end, context.timeoutMs);
      const printed = { stdout: end.value.text, stderr: '', durationMs: end.durationMs };
      if (end.value.answer === undefined) return failed('answer', end.value.problem, printed);
      const continues = settings.continueOnBlock === true;
      return { type: 'said', reply: judgmentReply(end.value.answer, { continues, acceptsImpossible: true }), printed };
    },
  });
}

const SHOWN_CHARACTERS = 500;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line || '(nothing)';
}

type Judged =
  | { readonly answer: JudgeAnswer; readonly text: string }
  | { readonly answer: undefined; readonly text: string; readonly problem: string };

/** Asks the model, and once more when the answer has the wrong form. `isText`: prose is wanted, and becomes the note. */
async function judge(askModel: AskModel, question: Question, isText: boolean): Promise<Judged> {
  const first = await askModel(question);
  if (first.type === 'failed') return { answer: undefined, text: '', problem: `the model failed: ${first.message}` };
  const answer = findJudgment(first.text);
  if (answer) return { answer, text: first.text };
  if (isText && first.text.trim() !== '') return { answer: { ok: true, note: first.text }, text: first.text };
  const second = await askModel({ ...question, prompt: repairPrompt(first.text), withConversation: false });
  const text = second.type === 'ok' ? second.text : first.text;
  const repaired = findJudgment(text);
  if (repaired) return { answer: repaired, text };
  const problem = `the model did not answer with {"ok": …}, not even when asked again; it wrote: ${oneLine(first.text)}`;
  return { answer: undefined, text, problem };
}

/** The beginning of a prompt that asks for a text. */
const ASKS_FOR_TEXT =
  /^(?:please\s+|now\s+|briefly\s+|in\s+(?:one|two|three|a few|\d+)\s+(?:short\s+)?(?:words?|sentences?|lines?|bullets?|bullet points?),?\s+)*(?:summari[sz]e|sum up|recap|describe|outline|list|note|draft|write|compose|produce|explain|translate|name|report\s+(?:what|on|the)|tell\s+(?:me|us|the\s+user)\s+(?:what|which|how)|(?:give|provide|prepare)\s+(?:me\s+|us\s+)?(?:a|an|the)\s+(?:\w+\s+){0,3}?(?:summary|recap|overview|list|note|report|description|changelog))\b/i;

/** Words of a prompt that wants a verdict, anywhere in it. */
const ASKS_FOR_VERDICT =
  /[?{}]|\b(?:ok|whether|verify|ensure|make sure|check(?:s|ed)?\s+(?:that|if|whether)|block|blocked|allow|deny|approve|reject|fail|must|should|only if|unless|if\s+(?:not|any|there|the|it)|condition|verdict|true|false|json)\b/i;

/** Whether a prompt asks for a text and not for a judgment. One word of a judgment is enough to be one: as a text it would never block. */
export function asksForText(prompt: string): boolean {
  const own = prompt.replaceAll(/\\?\$ARGUMENTS\b/g, ' ').trim();
  return ASKS_FOR_TEXT.test(own) && !ASKS_FOR_VERDICT.test(own);
}
