import * as z from 'zod';
import type { AgentAnswer, RunAgent } from '../../hooks/kinds/agent.ts';
import { noHooks } from '../../hooks/types.ts';
import type { PromptParams } from '../../query/prompt/submitPrompt.ts';
import { query } from '../../query/query.ts';
import { textOf } from '../../session/conversation.ts';
import { makeMessages } from '../../session/makeMessages.ts';
import { shortId } from '../../system/ids.ts';
import type { World } from '../../system/world.ts';
import { defineTool, type Tool, withoutProgress } from '../../tools/tool.ts';
import type { GatheredSession } from './gatherSession.ts';
import { judgeModel } from './hookModel.ts';

/** The default tools of an agent hook: enough to inspect, not to edit. */
const DEFAULT_TOOLS = ['Read', 'Glob', 'Grep', 'Bash'];

/** The tool for the answer of an agent hook; without a call its text is read. */
function answerTool(answered: (value: unknown) => void): Tool {
  return defineTool({
    name: 'StructuredOutput',
    description: 'Give your judgment. Call it exactly once, when you are sure; nothing else you write is read.',
    inputSchema: z.object({ ok: z.boolean(), reason: z.string().optional() }),
    isReadOnly: () => true,
    permission: () => ({ type: 'free' }),
    summary: ({ ok }) => (ok ? 'ok' : 'not ok'),
    call: withoutProgress(async (input) => {
      answered(input);
      return { type: 'done', output: input, content: 'Noted. Stop now.' };
    }),
  });
}

/** Runs an agent hook: its own turn with the session's services, and without hooks. */
export function runHookAgent(
  world: World,
  session: () => Omit<PromptParams, 'prompt'>,
  gathered: GatheredSession,
): RunAgent {
  return async (task) => {
    const { toolUseContext, deps, config } = session();
    const chosen = judgeModel(task.model, gathered);
    if (chosen.type === 'unknown') return { type: 'failed', message: chosen.message };
    const done = new AbortController();
    let structured: unknown;
    const wanted = new Set(task.tools ?? DEFAULT_TOOLS);
    const answer = answerTool((value) => {
      structured = value;
      done.abort();
    });
    const running = query({
      messages: [makeMessages(world.clock, world.ids).user([{ type: 'text', text: task.prompt }])],
      systemPrompt: [task.system],
      toolUseContext: {
        ...toolUseContext,
        model: chosen.model,
        tools: [...toolUseContext.tools.filter(({ name }) => wanted.has(name)), answer],
        signal: AbortSignal.any([task.signal, done.signal]),
        agentId: `hook-${shortId(world.ids)}`,
        queryTracking: { ...toolUseContext.queryTracking, depth: toolUseContext.queryTracking.depth + 1 },
      },
      config: { ...config, querySource: 'hook_agent', maxTurns: task.maxTurns },
      deps: { ...deps, hooks: noHooks, transcript: { append: () => {} } },
    });
    return follow(running, () => structured);
  };
}

async function follow(running: ReturnType<typeof query>, structured: () => unknown): Promise<AgentAnswer> {
  let text = '';
  while (true) {
    const { done, value } = await running.next();
    if (done) {
      const given = structured();
      if (given !== undefined) return { type: 'ok', text, structured: given };
      if (value.reason === 'completed') return { type: 'ok', text };
      const why = 'failure' in value ? `: ${value.failure.message}` : '';
      return { type: 'failed', message: `the agent ended ${value.reason} without an answer${why}` };
    }
    if (value.type === 'assistant') text = textOf(value) || text;
  }
}
