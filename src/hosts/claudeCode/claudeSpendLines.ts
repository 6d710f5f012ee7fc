import { isObject, type JsonObject, jsonValue } from '../../schemas/jsonValue.ts';
import { ownValue } from '../../system/ownValue.ts';

/** Tokens by kind; what a line does not report is absent. */
export interface Usage {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

interface Totals {
  readonly outputTokens: number;
  readonly usd: number | null;
}

interface MessageUsage {
  readonly id: string;
  readonly model: string;
  readonly usage: Usage;
}

export interface AssistantLine extends MessageUsage {
  readonly type: 'assistant';
  readonly characters: number;
}

export interface ResultLine {
  readonly type: 'result';
  /** For the whole session, including subagents. */
  readonly totals: Totals;
  /** Absent from versions that do not report it. */
  readonly sinceLast: Totals | undefined;
  /** The sentence with which Claude Code ended the turn at its own spending limit. */
  readonly overBudget: string | undefined;
}

/** The spending in one line of Claude Code's `stream-json`. */
export type SpendLine =
  | AssistantLine
  | ResultLine
  | ({ readonly type: 'start' } & MessageUsage)
  /** A subagent's last message, which has no line of its own. */
  | ({ readonly type: 'agentEnd' } & MessageUsage)
  /** For the message that started last. */
  | { readonly type: 'delta'; readonly usage: Usage };

const READERS: Readonly<Record<string, (event: JsonObject) => SpendLine | null>> = {
  assistant: readAssistant,
  result: readResult,
  stream_event: readStreamEvent,
  user: readToolResult,
};

/** With partial messages nearly every line is a piece of text; these are not parsed. */
const PIECE = /^\{"type":"stream_event","event":\{"type":"(?!message_)/;

/** One event per line; `json --verbose` prints all of them as one array. */
export function readSpendLine(line: string): readonly SpendLine[] {
  if (!/^[{[]/.test(line) || PIECE.test(line)) return [];
  const value = jsonValue(line);
  return (Array.isArray(value) ? value : [value]).flatMap((one) => {
    const event = fields(one);
    return event === null ? [] : (ownValue(READERS, String(event.type))?.(event) ?? []);
  });
}

function readAssistant(event: JsonObject): SpendLine | null {
  const message = fields(event.message);
  if (typeof message?.id !== 'string' || fields(message.usage) === null) return null;
  const blocks = Array.isArray(message.content) ? message.content : [];
  const characters = blocks.reduce((all: number, block: unknown) => all + lengthOf(fields(block)), 0);
  return { type: 'assistant', id: message.id, ...modelAndUsage(message), characters };
}

function readStreamEvent({ event: piece, parent_tool_use_id: parent }: JsonObject): SpendLine | null {
  const event = fields(piece);
  // a subagent's pieces would be mixed with those of the main conversation
  if (event === null || typeof parent === 'string') return null;
  if (event.type === 'message_delta') return { type: 'delta', usage: usageOf(fields(event.usage)) };
  const message = event.type === 'message_start' ? fields(event.message) : null;
  return typeof message?.id === 'string' ? { type: 'start', id: message.id, ...modelAndUsage(message) } : null;
}

function readToolResult(event: JsonObject): SpendLine | null {
  const result = fields(event.tool_use_result);
  if (typeof result?.agentId !== 'string' || fields(result.usage) === null) return null;
  const model = String(result.resolvedModel);
  return { type: 'agentEnd', id: `agent ${result.agentId}`, model, usage: usageOf(fields(result.usage)) };
}

function readResult(event: JsonObject): SpendLine | null {
  const models = fields(event.modelUsage);
  const cost = typeof event.total_cost_usd === 'number' ? event.total_cost_usd : null;
  if (models === null && cost === null) return null;
  const totals = { outputTokens: totalOf(models).outputTokens, usd: cost ?? totalOf(models).usd };
  const since = fields(event.model_usage_since_last_result);
  const overBudget = event.subtype === 'error_max_budget_usd' ? String(event.errors) : undefined;
  return { type: 'result', totals, sinceLast: since === null ? undefined : totalOf(since), overBudget };
}

function totalOf(models: JsonObject | null): Totals {
  let total: Totals = { outputTokens: 0, usd: 0 };
  for (const value of Object.values(models ?? {})) {
    const { outputTokens, costUSD } = fields(value) ?? {};
    const usd = typeof costUSD === 'number' && total.usd !== null ? total.usd + costUSD : null;
    total = { outputTokens: total.outputTokens + count(outputTokens), usd };
  }
  return total;
}

const modelAndUsage = (message: JsonObject) => ({
  model: String(message.model),
  usage: usageOf(fields(message.usage)),
});

const KEYS = [
  ['input', 'input_tokens'],
  ['output', 'output_tokens'],
  ['cacheRead', 'cache_read_input_tokens'],
  ['cacheWrite', 'cache_creation_input_tokens'],
] as const;

function usageOf(usage: JsonObject | null): Usage {
  const found = KEYS.filter(([, key]) => typeof usage?.[key] === 'number');
  return Object.fromEntries(found.map(([name, key]) => [name, count(usage?.[key])]));
}

/** What a block wrote: text, thinking, or the input of a tool. */
function lengthOf(block: JsonObject | null): number {
  const written = block?.text ?? block?.thinking ?? block?.input;
  if (written === undefined) return 0;
  return typeof written === 'string' ? written.length : JSON.stringify(written).length;
}

const count = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0);

const fields = (value: unknown): JsonObject | null => (isObject(value) ? value : null);
