import { SHELLS } from './commandWrappers.ts';
import { GIT_VALUED } from './gitCommands.ts';
import { gitSynonyms } from './gitSynonyms.ts';
import { isHarmlessPrefix } from './harmlessAssignments.ts';
import type { ShellPart, ShellWord } from './shellTypes.ts';
import { commandName } from './unwrapCommand.ts';

/** The texts under which a command may be known to a rule that forbids it: every disguise we can take off. */
export function disguisesOf(part: ShellPart): readonly string[] {
  const [head = '', ...rest] = part.words.map(({ text }) => text);
  const base = head.slice(head.lastIndexOf('/') + 1);
  const name = commandName(head);
  const plain = withoutLeadingOptions(name, rest);
  const texts = [
    written(part.words),
    ...(SHELLS.has(name) ? scriptTexts(rest) : []),
    ...gitSynonyms([name, ...plain]).map((words) => words.join(' ')),
    ...[head, base, base.toLowerCase()].flatMap((name) => [[name, ...rest].join(' '), [name, ...plain].join(' ')]),
  ];
  return [...new Set(texts)];
}

/** `bash -e deploy.sh x` runs `deploy.sh x`. */
function scriptTexts(words: readonly string[]): string[] {
  const at = words.findIndex((word) => !/^[-+]/.test(word));
  const [script = '', ...args] = at < 0 ? [] : words.slice(at);
  return [script, script.replace(/^(?:\.\/)?/, './'), script.replace(/^\.\//, '')].map((file) =>
    [file, ...args].join(' '),
  );
}

/** The words of a command from its first operand on: of git, from the name of its command. */
export function withoutLeadingOptions(name: string, words: readonly string[]): readonly string[] {
  const valued = name === 'git' ? GIT_VALUED : [];
  let at = 0;
  while (words[at]?.startsWith('-')) at += valued.includes(words[at] ?? '') ? 2 : 1;
  return words.slice(at);
}

/** The texts that a rule which allows may be about: as written, or with quotes only where they are needed. */
export function namesOf(part: ShellPart): readonly string[] {
  const commands = [written(part.words), part.words.map(needful).join(' ')];
  const prefix = part.assignments.map(({ raw }) => raw).join(' ');
  const whole = prefix === '' ? [] : commands.map((command) => `${prefix} ${command}`.trim());
  return [...new Set([...whole, ...(part.assignments.every(isHarmlessPrefix) ? commands : [])])];
}

export function written(words: readonly ShellWord[]): string {
  return words.map(({ raw }) => raw).join(' ');
}

/** `"git log"` is a command with a blank in its name, and must not pass for `git log`. */
function needful({ text, raw, expands }: ShellWord): string {
  return expands || /[^\w@%+=:,./~^-]/.test(text) || text === '' ? raw : text;
}
