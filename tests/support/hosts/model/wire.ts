import type http from 'node:http';
import type { ServerReply } from '../../../../src/testing/modelServer.ts';

/** What a model saw, in words that all agents share. */
export interface SeenMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'call' | 'tool';
  readonly text: string;
}

/** What every API can answer. */
export type WireReply = Pick<ServerReply, 'text' | 'tools' | 'usage' | 'delayMs'> & {
  readonly error?: NonNullable<ServerReply['error']> & {
    /** Sent instead of the usual form of the API's errors. */
    readonly body?: object;
  };
};

// biome-ignore lint/suspicious/noExplicitAny: tests inspect it freely, and no product code reads it
export type Body = any;

interface Answering {
  readonly body: Body;
  readonly index: number;
  readonly url: string;
}

/** One API of models, as a server speaks it. */
export interface Wire {
  readonly name: string;
  /** By the path of a request. */
  serves(path: string): boolean;
  /** The whole conversation in a request. */
  view(body: Body): SeenMessage[];
  errorBody(error: NonNullable<WireReply['error']>): object;
  send(response: http.ServerResponse, reply: WireReply, answering: Answering): void;
}

export const usageOf = ({ usage = {} }: WireReply) => ({
  input: usage.in ?? 100,
  output: usage.out ?? 20,
  cached: usage.cacheRead ?? 0,
});

export function json(response: http.ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** A string, or blocks of which some have a text. */
export function textOf(content: Body): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content == null ? '' : JSON.stringify(content);
  return content.map((part) => part.text ?? part.thinking ?? JSON.stringify(part)).join('\n');
}
