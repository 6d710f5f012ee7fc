import { jsonValue } from '../../schemas/jsonValue.ts';
import type { SettingsEntry } from '../../schemas/settingsHold.ts';
import { ownValue } from '../../system/ownValue.ts';
import { OWNERSHIP_MARK } from '../host.ts';
import { type BrokenSettings, isText, type SettingsFormat } from '../settings/format.ts';
import { tomlFault } from './tomlFault.ts';

/**
 * One table of ours. The mark is above it: Codex edits this file too, keeps a comment with the table below it, and puts new
 * tables at the end of the file.
 */
const TABLE =
  /\n# stopgate\n\[hooks\.state\.("(?:[^"\\\n]|\\.)*")\]\n(?:trusted_hash = "[^"\n]*"(?:\n|$)|enabled = \w+(?:\n|$))*/g;
const HEADER = /^[ \t]*\[[ \t]*hooks[ \t]*\.[ \t]*state[ \t]*\.[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*\]/;
/** `hooks` or its `state` as a value of another form, by the table that the line is in: tables cannot be added to one. */
const INLINE: Readonly<Record<string, RegExp>> = {
  '': /^[ \t]*hooks[ \t]*(?:\.[ \t]*state[ \t]*)?=/,
  hooks: /^[ \t]*state[ \t]*=/,
};

/** Our tables in the user's config.toml: the key of an entry is the key of its hook, the text is the hash. */
export const trustTables: SettingsFormat = {
  add: (text, entries) => {
    const wanted = entries.filter(isText);
    const rest = withoutTables(text, (key) => !wanted.some((entry) => entry.key === key));
    const why = whyNotAdded(rest, wanted);
    if (why) return why;
    const tables = wanted.map((entry) => tableOf(entry.key, entry.text));
    return { type: 'edited', text: `${rest}${tables.join('')}` };
  },
  remove: (text, { keeps = () => false } = {}) => ({ type: 'edited', text: withoutTables(text, keeps) }),
  owned: (text) => ({ type: 'found', keys: [...text.matchAll(TABLE)].map(([, quoted = '']) => keyIn(quoted)) }),
  isEmpty: (text) => text.trim() === '',
};

const tableOf = (key: string, hash: string) =>
  `\n${OWNERSHIP_MARK}\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${hash}"\n`;

const withoutTables = (text: string, keeps: (key: string) => boolean) =>
  text.replaceAll(TABLE, (table, quoted: string) => (keeps(keyIn(quoted)) ? table : ''));

/** A second table with one name would keep Codex from starting. */
function whyNotAdded(text: string, entries: readonly SettingsEntry[]): BrokenSettings | null {
  const keys = new Set(entries.filter(isText).map(({ key }) => key));
  if (keys.size === 0) return null;
  const fault = tomlFault(text);
  if (fault !== null) return broken(fault.line, `${fault.message}; Codex does not start until this is fixed`);
  let table = '';
  for (const [at, line] of text.split('\n').entries()) {
    table = /^[ \t]*\[+([^\]]*)\]/.exec(line)?.[1]?.trim() ?? table;
    if (ownValue(INLINE, table)?.test(line)) return broken(at, VALUE);
    if (keys.has(keyIn(HEADER.exec(line)?.[1] ?? ''))) return broken(at, TAKEN);
  }
  return null;
}

const VALUE = 'hooks are written as a value here, and trust for Stopgate’s hooks needs tables; write them as tables';
const TAKEN = 'this table has the place of a hook of Stopgate; remove it';
const broken = (at: number, message: string): BrokenSettings => ({ type: 'broken', line: at + 1, column: 1, message });

/** A basic string of TOML is one of JSON, but for rare escapes; a literal one has none. */
function keyIn(quoted: string): string {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  return String(jsonValue(quoted) ?? quoted);
}

/** The trusted hash of each hook that the file has, ours or not; hooks that are switched off have none. */
export function trustIn(text: string): (key: string) => string | undefined {
  const found: Record<string, string> = {};
  let key = '';
  for (const line of text.split('\n')) {
    if (/^[ \t]*\[/.test(line)) key = keyIn(HEADER.exec(line)?.[1] ?? '');
    const [, hash] = /^[ \t]*trusted_hash[ \t]*=[ \t]*["']([^"']*)["']/.exec(line) ?? [];
    if (key !== '' && hash !== undefined) found[key] = hash;
    if (key !== '' && /^[ \t]*enabled[ \t]*=[ \t]*false\b/.test(line)) delete found[key];
  }
  return (wanted) => ownValue(found, wanted);
}
