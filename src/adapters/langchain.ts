import '../requireNode.ts';
import type { Gate, ToolCall } from '../gate/types.ts';
import { type AdapterOptions, askVerdict, warnOnce } from './askVerdict.ts';
import { whenFrozen } from './whenFrozen.ts';

/** What is read of a LangChain message. Nothing is imported, so that any version with these fields fits. */
export interface LangChainMessage {
  getType(): string;
  readonly text: string;
  readonly tool_calls?: readonly { readonly name: string; readonly args: unknown }[] | undefined;
  readonly usage_metadata?: { readonly output_tokens: number } | undefined;
}

interface State<Message> {
  readonly messages: readonly Message[];
  readonly structuredResponse?: unknown;
}

interface SendBack<Message> {
  messages: Message[];
  jumpTo: 'model';
}

/** An `AgentMiddleware` of LangChain 1, for `createAgent` and `createDeepAgent`. */
export interface StopgateMiddleware {
  name: 'stopgate';
  wrapModelCall<Request extends { messages: LangChainMessage[] }, Reply>(
    request: Request,
    handler: (request: Request) => Reply | Promise<Reply>,
  ): Promise<Reply>;
  afterAgent: {
    canJumpTo: 'model'[];
    hook<Message extends LangChainMessage>(
      state: State<Message>,
      runtime: { readonly signal?: AbortSignal | undefined },
    ): Promise<SendBack<Message> | undefined>;
  };
}

/**
 * Sends the agent back to its model until the gate lets it stop: `createAgent({ middleware: [untilDone(gate)] })`. The
 * feedback is a message of the user in the thread. The line of a budget is added to each request, not to the thread.
 */
export function untilDone(gate: Gate, options: AdapterOptions = {}): StopgateMiddleware {
  const warn = warnOnce(options);
  let outputTokens = 0;
  return {
    name: 'stopgate',
    wrapModelCall: async (request, handler) => {
      await whenFrozen(gate);
      const reply = await handler(withCountdown(request, gate.countdown()));
      outputTokens += tokensOf(reply);
      return reply;
    },
    afterAgent: {
      canJumpTo: ['model'],
      hook: async (state, { signal }) => {
        const stop = {
          answer: answerOf(state),
          toolCalls: toolCallsOf(state.messages),
          usage: { outputTokens },
          signal,
        };
        const verdict = await askVerdict(gate, stop, options);
        if (verdict.type === 'stop') return undefined;
        warnAboutSteps(warn);
        return { messages: [userMessage(state.messages, verdict.feedback)], jumpTo: 'model' };
      },
    },
  };
}

/** A refused answer takes one step of the graph for the model and one for the gate, a tool call two more. */
function warnAboutSteps(warn: (warning: string) => void): void {
  const steps = stepsLeft();
  if (steps === undefined || steps.left >= 4) return;
  warn(
    `stopgate: the gate sent the agent back, but recursionLimit (${steps.limit}) of LangGraph is nearly reached, and then the run fails. Pass a higher recursionLimit to invoke or stream.`,
  );
}

function withCountdown<Request extends { messages: LangChainMessage[] }>(
  request: Request,
  line: string | null,
): Request {
  if (line === null || !request.messages.some(isHuman)) return request;
  return { ...request, messages: [...request.messages, userMessage(request.messages, line)] };
}

/** Of the class that the thread already has: other middleware calls its methods before LangChain would convert anything. */
function userMessage<Message extends LangChainMessage>(messages: readonly Message[], content: string): Message {
  const human = messages.findLast(isHuman);
  if (human) return new (human.constructor as new (content: string) => Message)(content);
  // a thread without one: LangChain converts this form when it adds the message to the state
  return { role: 'user', content } as unknown as Message;
}

const isHuman = (message: LangChainMessage) => message.getType() === 'human';

function answerOf({ messages, structuredResponse }: State<LangChainMessage>): string {
  const text = messages.findLast((message) => message.getType() === 'ai')?.text ?? '';
  return text === '' && structuredResponse !== undefined ? JSON.stringify(structuredResponse) : text;
}

function toolCallsOf(messages: readonly LangChainMessage[]): ToolCall[] {
  const sinceUser = messages.slice(messages.findLastIndex(isHuman) + 1);
  return sinceUser.flatMap(({ tool_calls = [] }) => tool_calls.map(({ name, args }) => ({ name, input: args })));
}

function tokensOf(reply: unknown): number {
  if (typeof reply !== 'object' || reply === null || !('usage_metadata' in reply)) return 0;
  const usage = reply.usage_metadata;
  if (typeof usage !== 'object' || usage === null || !('output_tokens' in usage)) return 0;
  return typeof usage.output_tokens === 'number' ? usage.output_tokens : 0;
}

/** The store in which LangChain keeps the configuration of the running node, and its key there. */
const STORE = Symbol.for('ls:tracing_async_local_storage');
const CONFIG = Symbol.for('lc:child_config');

/**
 * How many steps the graph that runs now may still take. Middleware is not given the limit, so it is read from where
 * LangGraph's own `getConfig` reads it; undefined when it is not there.
 */
function stepsLeft(): { readonly limit: number; readonly left: number } | undefined {
  const store = field(globalThis, STORE);
  const getStore = field(store, 'getStore');
  const running: unknown = typeof getStore === 'function' ? getStore.call(store) : undefined;
  const config = field(field(running, 'extra'), CONFIG);
  const limit = field(config, 'recursionLimit');
  const step = field(field(config, 'metadata'), 'langgraph_step');
  return typeof limit === 'number' && typeof step === 'number' ? { limit, left: limit - step } : undefined;
}

function field(value: unknown, key: string | symbol): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
