import type { Gate, ToolCall } from '../../gate/types.ts';
import { type AdapterOptions, askVerdict } from '../askVerdict.ts';
import { type AgentsRunResult, type Call, type NextCall, type RunOptions, userItem } from './types.ts';

/** Asks the gate about a finished run; a run that waits for an approval has not finished. */
export function nextCallOf(gate: Gate, options: AdapterOptions): NextCall {
  const tokens = new TokenCount();
  return async (call, result) => {
    if (result.interruptions.length > 0) return undefined;
    const stop = {
      answer: textOf(result.finalOutput),
      toolCalls: toolCallsOf(result),
      usage: { outputTokens: tokens.with(result) },
      signal: call.options.signal,
    };
    const verdict = await askVerdict(gate, stop, options);
    return verdict.type === 'stop' ? undefined : callWith(call, result, verdict.feedback);
  };
}

/** A session or a conversation at the provider already has the history; without one, it is sent again. */
function callWith({ agent, options }: Call, result: AgentsRunResult, feedback: string): Call {
  const message = userItem(feedback);
  return {
    agent: result.lastAgent ?? agent,
    input: isRemembered(options) ? [message] : [...result.history, message],
    options: continued(options, result),
  };
}

function isRemembered({ session, conversationId, previousResponseId }: RunOptions): boolean {
  return session !== undefined || conversationId !== undefined || previousResponseId !== undefined;
}

function continued(options: RunOptions, { lastResponseId }: AgentsRunResult): RunOptions {
  const chained = options.previousResponseId !== undefined && lastResponseId !== undefined;
  return chained ? { ...options, previousResponseId: lastResponseId } : options;
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
}

function toolCallsOf({ newItems }: AgentsRunResult): ToolCall[] {
  return newItems.flatMap(({ type, rawItem }) => {
    if (type !== 'tool_call_item' || typeof rawItem !== 'object' || rawItem === null) return [];
    const name = 'name' in rawItem && typeof rawItem.name === 'string' ? rawItem.name : 'tool';
    return [{ name, input: 'arguments' in rawItem ? rawItem.arguments : undefined }];
  });
}

/** A run counts from zero, unless runs share a `RunContext`. */
class TokenCount {
  readonly #byContext = new Map<object, number>();

  with({ runContext: { usage } }: AgentsRunResult): number {
    this.#byContext.set(usage, usage.outputTokens);
    return this.#byContext.values().reduce((sum, tokens) => sum + tokens, 0);
  }
}
