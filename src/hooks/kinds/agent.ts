import { JudgeAnswerSchema } from '../../schemas/hookOutputs.ts';
import { type AgentHook, AgentHookSchema } from '../../schemas/hooks.ts';
import { defineKind, type HookKind, type KindFacts } from '../kind.ts';
import { failed } from '../outcome.ts';
import type { HookSubject } from '../types.ts';
import { bounded, unfinished } from './bounded.ts';
import { fillArguments, findJudgment, JUDGE_SYSTEM, judgmentReply } from './judge.ts';

const MAX_TURNS = 50;

export const agentFacts: KindFacts<AgentHook> = {
  type: 'agent',
  schema: AgentHookSchema,
  fields: Object.keys(AgentHookSchema.shape),
  label: ({ prompt }) => prompt,
  defaultTimeoutMs: 60_000,
};

export interface AgentTask {
  readonly system: string;
  readonly prompt: string;
  /** Absent: the wiring's choice. */
  readonly tools?: readonly string[];
  readonly model?: string;
  readonly maxTurns: number;
  readonly signal: AbortSignal;
  readonly subject: HookSubject;
}

export type AgentAnswer =
  | { readonly type: 'ok'; readonly text: string; readonly structured?: unknown }
  | { readonly type: 'failed'; readonly message: string };

/** A turn of an agent with tools, provided by the wiring; it must not fire the user's hooks. */
export type RunAgent = (task: AgentTask) => Promise<AgentAnswer>;

/** Hooks that are a condition in plain language, judged by an agent with tools. */
export function agentHook(runAgent: RunAgent): HookKind {
  return defineKind<AgentHook>({
    ...agentFacts,
    async run(settings, event, context) {
      const { tools, model } = settings;
      const end = await bounded(context, (signal) =>
        runAgent({
          system: JUDGE_SYSTEM,
          prompt: fillArguments(settings.prompt, event.json),
          ...(tools !== undefined && { tools }),
          ...(model !== undefined && { model }),
          maxTurns: MAX_TURNS,
          signal,
          subject: event.subject,
        }),
      );
      if (end.type !== 'done') return unfinished(end, context.timeoutMs);
      const text = end.value.type === 'ok' ? end.value.text : '';
      const printed = { stdout: text, stderr: '', durationMs: end.durationMs };
      if (end.value.type === 'failed') return failed('answer', `the agent failed: ${end.value.message}`, printed);
      const structured = JudgeAnswerSchema.safeParse(end.value.structured);
      const answer = structured.success ? structured.data : findJudgment(text);
      if (answer === undefined) return failed('answer', 'the agent did not answer with {"ok": …}', printed);
      const { block, ...reply } = judgmentReply(answer, { continues: true, acceptsImpossible: false });
      if (block === undefined) return { type: 'said', reply, printed };
      // measured: unlike a prompt hook's, this block is not labeled with the prompt
      const reason = `Agent hook condition was not met: ${block.reason}`;
      return { type: 'said', reply: { ...reply, block: { by: 'decision', reason } }, printed };
    },
  });
}
