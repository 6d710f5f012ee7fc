import { JudgeAnswerSchema } from '../../schemas/hookOutputs.ts';
import { type AgentHook, AgentHookSchema } from '../../schemas/hooks.ts';
import { defineKind, type HookKind, type KindFacts } from '../kind.ts';
import type { HookSubject } from '../types.ts';
import { bounded, unfinished } from './bounded.ts';
import { fillArguments, findJudgement, JUDGE_SYSTEM, judgementSays } from './judge.ts';

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

/** A turn of an agent with tools, started by whoever wires the hook; it must not fire the user's hooks. */
export type RunAgent = (task: AgentTask) => Promise<AgentAnswer>;

/** Hooks that are a condition in words, judged by an agent that can look for itself. */
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
      const fail = (message: string) => ({ type: 'failed', failure: 'answer', message, printed }) as const;
      if (end.value.type === 'failed') return fail(`the agent failed: ${end.value.message}`);
      const structured = JudgeAnswerSchema.safeParse(end.value.structured);
      const answer = structured.success ? structured.data : findJudgement(text);
      if (answer === undefined) return fail('the agent did not answer with {"ok": …}');
      const { block, ...says } = judgementSays(answer, { goOn: true, mindsImpossible: false });
      if (block === undefined) return { type: 'said', says, printed };
      // measured: worded by its kind, without the prompt that a prompt hook's no is labeled with
      const reason = `Agent hook condition was not met: ${block.reason}`;
      return { type: 'said', says: { ...says, block: { by: 'decision', reason } }, printed };
    },
  });
}
