import { ownValue } from '../../system/ownValue.ts';
import { sameRow } from './sameRow.ts';
import type { ShellWord } from './shellTypes.ts';

/** Programs that read, and the options with which they write a file. Their value is the file. */
const OUTPUT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  find: ['-fprint', '-fprint0', '-fprintf', '-fls'],
  git: ['--output'],
  ...sameRow('iconv ltrace sort strace time', ['-o', '--output']),
  less: ['-o', '-O', '--log-file', '--LOG-FILE'],
  psql: ['-o', '-L', '--output', '--log-file'],
  tree: ['-o'],
};
/** Programs that are there to write, and where they write to. */
const DESTINATIONS: Readonly<Record<string, readonly string[]>> = {
  ...sameRow('cc clang gcc', ['-o']),
  curl: '-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --output-dir'.split(' '),
  git: ['-o', '--output-directory'],
  openssl: ['-out'],
  tar: ['-C', '--directory'],
  wget: ['-O', '--output-document', '-o', '-a', '-P', '--directory-prefix'],
};

/** Words that name where a program writes that is there to write. */
export function destinations(name: string, words: readonly ShellWord[]): ShellWord[] {
  return optionFiles(ownValue(DESTINATIONS, name) ?? [], words);
}

/** Programs whose second operand is written. */
const SECOND_IS_WRITTEN = new Set(['uniq', 'xxd']);

/** Words that name files which a program writes although it is there to read. */
export function writtenBesides(name: string, words: readonly ShellWord[]): ShellWord[] {
  const named = optionFiles(ownValue(OUTPUT_OPTIONS, name) ?? [], words);
  const operands = words.filter(({ text }) => !text.startsWith('-'));
  return SECOND_IS_WRITTEN.has(name) ? [...named, ...operands.slice(1, 2)] : named;
}

function optionFiles(options: readonly string[], words: readonly ShellWord[]): ShellWord[] {
  return words.flatMap((word, at) => options.flatMap((option) => optionFile(option, word, words[at + 1])).slice(0, 1));
}

function optionFile(option: string, word: ShellWord, next: ShellWord | undefined): ShellWord[] {
  const [name = ''] = word.text.split('=');
  const shortened = option.startsWith('--') && name.length > 2 && option.startsWith(name);
  if (word.text.includes('=') && (name === option || shortened)) return [cut(word, name.length + 1)];
  if (word.text === option || shortened) return next ? [next] : [];
  // `-ofile`, and letters put together: `-uo file`
  if (option.length > 2 || !word.text.startsWith('-') || word.text.startsWith('--')) return [];
  const at = word.text.indexOf(option.slice(1));
  if (at < 1) return [];
  return at === word.text.length - 1 ? (next ? [next] : []) : [cut(word, at + 1)];
}

function cut(word: ShellWord, from: number): ShellWord {
  return { ...word, text: word.text.slice(from), raw: word.text.slice(from) };
}
