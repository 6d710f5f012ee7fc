import { jsonValue } from './jsonValue.ts';

/**
 * The objects in what a model said: bare, fenced or with prose around them, in order. Models wrap JSON in words
 * however they are asked; a format that cannot bear it fails on one model in three.
 */
export function findJsonObjects(text: string): unknown[] {
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

/** A text of nothing but braces must not take for ever. */
const MAX_TRIES = 200;

/** Where the object that starts at `from` ends, with braces in strings left alone. */
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
