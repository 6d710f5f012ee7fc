import * as z from 'zod';
import { defineTool, type ToolOutcome, type ToolProgress } from '../tool.ts';
import type { SubagentEnd, SubagentRequest, SubagentStarted, ToolContext } from '../toolContext.ts';
import { startInBackground } from './backgroundAgent.ts';

const inputSchema = z.lazy(() =>
  z.strictObject({
    description: z.string().describe('The task in three to five words.'),
    prompt: z.string().min(1).describe('All the subagent needs to know: it does not see this conversation.'),
    subagent_type: z.string().optional().describe('The kind of subagent; general-purpose by default.'),
    run_in_background: z
      .boolean()
      .optional()
      .describe('True returns immediately; you are notified with its answer when it ends.'),
    model: z.string().optional().describe('A model for this subagent; that of this conversation by default.'),
  }),
);

type Input = z.output<typeof inputSchema>;

const description = `Gives a task to a subagent, which works on it with its own tools and returns one answer.

- Good for searches and work whose details need not stay in this conversation.
- It knows only the prompt: state what to do, where, and what to report.
- Only its last message is returned, and only to you.
- Several calls in one answer run in parallel: give each a separate task.`;

async function* call(input: Input, context: ToolContext): AsyncGenerator<ToolProgress, ToolOutcome> {
  if (!context.runSubagent) {
    return { type: 'failed', message: 'A subagent cannot start another one here. Do the work yourself.' };
  }
  if (input.run_in_background) return await startInBackground(requestOf(input, context), context, context.runSubagent);
  const stop = new AbortController();
  const request = requestOf(input, context);
  const signal = AbortSignal.any([request.signal, stop.signal]);
  await using running = context.runSubagent({ ...request, signal });
  using listed = new DisposableStack();
  let step = await running.next();
  while (!step.done) {
    const data = step.value;
    if (data.type === 'agent_started') listed.use(attend(data as unknown as SubagentStarted, request, context, stop));
    yield { type: 'progress', data };
    step = await running.next();
  }
  return outcomeOf(step.value, context.signal.aborted);
}

function attend(
  { agentId: id, transcriptPath: outputFile }: SubagentStarted,
  { description: task, subagentType, toolUseId }: SubagentRequest,
  { background, agentId: owner }: ToolContext,
  stop: AbortController,
): Disposable {
  const facts = { agent_type: subagentType };
  const listed = { id, type: 'subagent', description: task, toolUseId, owner, outputFile, facts } as const;
  return background.attend(listed, () => stop.abort());
}

function requestOf(input: Input, { toolUseId, signal }: ToolContext): SubagentRequest {
  const { prompt, description: task, subagent_type: subagentType = 'general-purpose', model } = input;
  return { prompt, description: task, subagentType, model, toolUseId, signal };
}

function outcomeOf(end: SubagentEnd, interrupted: boolean): ToolOutcome {
  if (end.reason === 'not_started') return { type: 'failed', message: end.answer };
  if (!end.completed) {
    const answer = end.answer === '' ? 'It gave no answer.' : `Its last answer was:\n${end.answer}`;
    const message = `The subagent did not complete its task: it ended with ${end.reason}. ${answer}`;
    return { type: 'failed', message, ...(interrupted && { interrupted }) };
  }
  return {
    type: 'done',
    output: {
      status: 'completed',
      agentId: end.agentId,
      content: [{ type: 'text', text: end.answer }],
      totalTokens: end.totalTokens,
      totalToolUseCount: end.totalToolUses,
      totalDurationMs: end.durationMs,
    },
    content: end.answer || 'The subagent completed without an answer.',
  };
}

export const agentTool = defineTool({
  name: 'Agent',
  description,
  inputSchema,
  isReadOnly: () => false,
  runsBesideOthers: true,
  // rules name the kind: `Agent(Explore)`
  permission: ({ subagent_type = 'general-purpose' }) => ({ type: 'free', content: subagent_type }),
  // `explore` means Explore, so hooks and rules see Explore
  observe: (input, { subagentName }) =>
    input.subagent_type === undefined || !subagentName
      ? input
      : { ...input, subagent_type: subagentName(input.subagent_type) },
  summary: (input) => input.description,
  call,
});
