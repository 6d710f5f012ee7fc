import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';

/** The exact content of a settings file. */
export type FileState = { readonly type: 'absent' } | { readonly type: 'bytes'; readonly bytes: Buffer };

export const ABSENT: FileState = { type: 'absent' };

export function digestOf(state: FileState): string {
  return state.type === 'absent' ? 'absent' : hash('sha256', state.bytes);
}

export const stateOfText = (text: string): FileState => ({ type: 'bytes', bytes: Buffer.from(text, 'utf8') });

/** Empty for a missing file; undefined for bytes that are not UTF-8, which could not be written back. */
export function textOf(state: FileState): string | undefined {
  if (state.type === 'absent') return '';
  return isUtf8(state.bytes) ? state.bytes.toString('utf8') : undefined;
}
