import type { StopRequest, ToolCall } from '../../gate/types.ts';
import { systemClock, wallNow } from '../../system/clock.ts';
import type { PiMessage, UserMessage } from './types.ts';

/** What a session of pi did since its last stop, from the messages of its turns. */
export class TurnRecord {
  #outputTokens = 0;
  #toolCalls: ToolCall[] = [];
  #answer = '';

  add(message: PiMessage): void {
    const parts = partsOf(message);
    this.#outputTokens += outputTokensOf(message);
    this.#toolCalls.push(...parts.flatMap(toolCallOf));
    this.#answer = parts.map(textOf).join('');
  }

  stop(signal: AbortSignal | undefined): StopRequest {
    const toolCalls = this.#toolCalls;
    this.#toolCalls = [];
    return { answer: this.#answer, toolCalls, usage: { outputTokens: this.#outputTokens }, signal };
  }
}

export function userMessage(content: string): UserMessage {
  return { role: 'user', content, timestamp: wallNow(systemClock) };
}

function partsOf({ content }: PiMessage): object[] {
  return Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : [];
}

function toolCallOf(part: object): ToolCall[] {
  if (!('type' in part && part.type === 'toolCall' && 'name' in part)) return [];
  return [{ name: String(part.name), input: 'arguments' in part ? part.arguments : undefined }];
}

function textOf(part: object): string {
  return 'type' in part && part.type === 'text' && 'text' in part ? String(part.text) : '';
}

function outputTokensOf({ usage }: PiMessage): number {
  const isCounted = typeof usage === 'object' && usage !== null && 'output' in usage;
  return isCounted && typeof usage.output === 'number' ? usage.output : 0;
}
