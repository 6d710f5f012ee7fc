/** What is read of a result of `run` of the OpenAI Agents SDK. Nothing is imported, so that any version with these fields fits. */
export interface AgentsRunResult {
  readonly history: readonly object[];
  readonly finalOutput?: unknown;
  readonly interruptions: readonly object[];
  readonly lastAgent?: object | undefined;
  readonly lastResponseId?: string | undefined;
  readonly newItems: readonly { readonly type: string; readonly rawItem?: unknown }[];
  readonly runContext: { readonly usage: { readonly outputTokens: number } };
}

/** The same with `stream: true`. */
export interface StreamedAgentsRun extends AgentsRunResult, AsyncIterable<AgentsEvent> {
  readonly completed: Promise<void>;
}

export interface AgentsEvent {
  readonly type: string;
  readonly data?: unknown;
}

interface ModelInput {
  readonly input: readonly object[];
  readonly instructions?: string;
}

type InputFilter = (args: { readonly modelData: ModelInput }) => ModelInput | Promise<ModelInput>;

/** The options of `run` that the loop has to know; all others are passed on as they are. */
export interface RunOptions {
  readonly stream?: boolean;
  readonly signal?: AbortSignal;
  readonly session?: unknown;
  readonly conversationId?: string;
  readonly previousResponseId?: string;
  readonly callModelInputFilter?: InputFilter;
}

/** One call of `run`. */
export interface Call {
  readonly agent: object;
  readonly input: unknown;
  readonly options: RunOptions;
}

export type StartRun = (call: Call) => Promise<AgentsRunResult>;
/** The call that follows a run, or undefined if the agent may stop. */
export type NextCall = (call: Call, result: AgentsRunResult) => Promise<Call | undefined>;

export function isStreamed(result: AgentsRunResult): result is StreamedAgentsRun {
  return Symbol.asyncIterator in result;
}

export function userItem(text: string): object {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}
