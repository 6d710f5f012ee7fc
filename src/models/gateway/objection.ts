import { isObject, jsonValue } from '../../schemas/jsonValue.ts';

/** Validation errors quote the request in these fields. */
const REPEATED = new Set(['input', 'request', 'body', 'ctx', 'url', 'request_id', 'headers']);
const MESSAGE_FIELDS = ['message', 'msg', 'detail', 'error', 'title', 'reason'];
const MAX_CHARACTERS = 20_000;

/**
 * Reads the body of a refusal, in any of the shapes that gateways use: the message for people, empty when there is none,
 * and all its text, without what it quotes from the request.
 */
export function readObjection(body: string): Readonly<Record<'message' | 'text', string>> {
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

/** The visible text of a page. */
function withoutMarkup(text: string): string {
  return text
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]{0,2000}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

type UnexpectedKind = 'page' | 'empty' | 'unreadable';

/** A server answered with success, but not with a model's reply. */
export class UnexpectedAnswer extends Error {
  readonly kind: UnexpectedKind;

  constructor({ kind, words }: { readonly kind: UnexpectedKind; readonly words: string }) {
    super(words);
    this.name = 'UnexpectedAnswer';
    this.kind = kind;
  }
}

/** Describes an answer that contains no reply. */
export function unexpectedBody(body: string): { readonly kind: UnexpectedKind; readonly words: string } {
  const text = body.trim();
  if (text === '') return { kind: 'empty', words: '' };
  if (!/^<(?:!doctype|html|head|body|\?xml)/i.test(text)) return { kind: 'unreadable', words: quoted(text) };
  const title = /<title[^>]*>([^<]{1,200})/i.exec(text)?.[1];
  return { kind: 'page', words: quoted(title ?? withoutMarkup(text)) };
}

function quoted(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  return JSON.stringify(plain.length > 80 ? `${plain.slice(0, 80)}…` : plain);
}
