import type * as z from 'zod';
import { jsonValue } from './jsonValue.ts';

/** The last object in a model's answer that fits a schema. */
export const lastJsonOf = <Value>(schema: z.ZodType<Value>, text: string): Value | undefined =>
  allJsonOf(schema, text).at(-1);

/** All objects in a model's answer that fit a schema, in order. */
export function allJsonOf<Value>(schema: z.ZodType<Value>, text: string): readonly Value[] {
  return findJsonObjects(text).flatMap((value) => {
    const read = schema.safeParse(value);
    return read.success ? [read.data] : [];
  });
}

/** The objects in a model's answer, in order: bare, fenced or with prose around them, as one model in three writes. */
function findJsonObjects(text: string): unknown[] {
  const found: unknown[] = [];
  let at = text.indexOf('{');
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; tries++) {
    const end = endOfObject(text, at);
    const value = end === undefined ? undefined : jsonValue(text.slice(at, end));
    if (value !== undefined) found.push(value);
    at = text.indexOf('{', value === undefined ? at + 1 : end);
  }
  return found;
}

/** Bounds the time for a text of nothing but braces. */
const MAX_TRIES = 200;

/** The end of the object that starts at `from`; braces in strings do not count. */
function endOfObject(text: string, from: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === '\\') at++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === '{') depth++;
    else if (!quoted && character === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}
