import type { JudgeAnswer } from '../../schemas/hookOutputs.ts';
import { type PromptHook, PromptHookSchema } from '../../schemas/hooks.ts';
import { defineKind, type HookKind, type KindFacts } from '../kind.ts';
import type { HookSubject } from '../types.ts';
import { asksForText } from './asksForText.ts';
import { bounded, unfinished } from './bounded.ts';
import { fillArguments, findJudgement, JUDGE_SYSTEM, judgementSays, repairPrompt } from './judge.ts';

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

/** One question to a model; whoever wires it decides which model that is and whose budget pays. */
export type AskModel = (question: Question) => Promise<ModelAnswer>;

/** Hooks that are a condition in words, judged by one model request. */
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
      if (end.value.answer === undefined)
        return { type: 'failed', failure: 'answer', message: end.value.problem, printed };
      const goOn = settings.continueOnBlock === true;
      return { type: 'said', says: judgementSays(end.value.answer, { goOn, mindsImpossible: true }), printed };
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

/**
 * Asks, and where the answer cannot be read, asks once more for the same thing in the right form. `isText`: prose is what was asked
 * for, and it is the note.
 */
async function judge(askModel: AskModel, question: Question, isText: boolean): Promise<Judged> {
  const first = await askModel(question);
  if (first.type === 'failed') return { answer: undefined, text: '', problem: `the model failed: ${first.message}` };
  const answer = findJudgement(first.text);
  if (answer) return { answer, text: first.text };
  if (isText && first.text.trim() !== '') return { answer: { ok: true, note: first.text }, text: first.text };
  const second = await askModel({ ...question, prompt: repairPrompt(first.text), withConversation: false });
  const text = second.type === 'ok' ? second.text : first.text;
  const repaired = findJudgement(text);
  if (repaired) return { answer: repaired, text };
  const said = oneLine(first.text);
  const problem = `the model did not answer with {"ok": …}, not even when asked again; it wrote: ${said}`;
  return { answer: undefined, text, problem };
}
