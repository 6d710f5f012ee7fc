import type { ShellWord } from './shellTypes.ts';

/** Which words of a command that copies name what is copied, and which one where to. */
export interface CopyUse {
  readonly sources: readonly ShellWord[];
  readonly target: ShellWord;
  /** What is copied stays as it is: `mv` takes it away, and a link can be written through. */
  readonly keepsSources: boolean;
}

const COPIES = new Set(['cp', 'install', 'rsync', 'scp', 'ln', 'mv']);
/** Letters before it that take no value. */
const TARGET = /^(?:-[abcdfilnprsuvxCDHLPR]*t|--t)/;
const TAKES_AWAY = /^--(?:remove-s|del)/;

/** Undefined for another command, and where words are only known later. */
export function copyUse(name: string, words: readonly ShellWord[]): CopyUse | undefined {
  const given = (name === 'docker' || name === 'podman') && words[0]?.text === 'cp' ? words.slice(1) : undefined;
  const own = given ?? (COPIES.has(name) ? words : []);
  const at = own.findIndex(({ text }) => TARGET.test(text) && name !== 'rsync' && name !== 'scp');
  const option = at < 0 ? undefined : targetOf(own, at);
  const operands = own.filter((word) => !word.text.startsWith('-') && word !== option);
  const target = option ?? operands.at(-1);
  const sources = option ? operands : operands.slice(0, -1);
  if (target === undefined || sources.length === 0) return undefined;
  // a list may come out as several words, the last of which is the place; an option may take the last word
  const isLast = option !== undefined || (own.at(-1) === target && own.at(-2)?.text.startsWith('-') === false);
  const isPlain = isLast && !own.some(({ expands }) => expands) && !target.globs;
  const keepsSources = isPlain && name !== 'ln' && name !== 'mv' && !own.some(({ text }) => TAKES_AWAY.test(text));
  return { sources, target, keepsSources };
}

function targetOf(words: readonly ShellWord[], at: number): ShellWord | undefined {
  const text = words[at]?.text ?? '';
  const value = /^(?:--[a-z-]+=|-[a-zA-Z]*?t(?!$))(.*)$/s.exec(text)?.[1];
  return value === undefined ? words[at + 1] : { text: value, raw: value, expands: false, globs: false };
}
