import { withoutMarkup } from './objection.ts';

export type UnexpectedKind = 'page' | 'empty' | 'unreadable';

/** A server answered with success, and not with a reply of a model. */
export class UnexpectedAnswer extends Error {
  readonly kind: UnexpectedKind;

  constructor({ kind, words }: { readonly kind: UnexpectedKind; readonly words: string }) {
    super(words);
    this.name = 'UnexpectedAnswer';
    this.kind = kind;
  }
}

/** What an answer is that holds no reply. */
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
