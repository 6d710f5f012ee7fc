import { jsonValue } from '../../schemas/jsonValue.ts';
import { isObject } from './eventNormalizer.ts';

/** What a server said when it refused a request. */
export interface Objection {
  /** The sentence meant for people; empty when there is none. */
  readonly message: string;
  /** Everything it said, without what it repeats of the request. */
  readonly text: string;
}

/** Validation errors repeat the request's own words, which are not the server's. */
const REPEATED = new Set(['input', 'request', 'body', 'ctx', 'url', 'request_id', 'headers']);
const MESSAGE_FIELDS = ['message', 'msg', 'detail', 'error', 'title', 'reason'];
const MAX_CHARACTERS = 20_000;

/** Reads the body of a refusal, in any of the shapes that gateways have for one. */
export function readObjection(body: string): Objection {
  const value = jsonValue(body.slice(0, MAX_CHARACTERS));
  if (value === undefined) {
    const text = withoutMarkup(body.slice(0, MAX_CHARACTERS));
    return { message: text, text };
  }
  return { message: messageIn(value), text: textsIn(value).join(' ') };
}

function messageIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(messageIn).filter(Boolean).join('; ');
  if (!isObject(value)) return '';
  for (const field of MESSAGE_FIELDS) {
    const found = messageIn(value[field]);
    if (found !== '') return found;
  }
  return '';
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => (REPEATED.has(name) ? [] : textsIn(inner)));
}

/** The words of a page. */
export function withoutMarkup(text: string): string {
  return text
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]{0,2000}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
