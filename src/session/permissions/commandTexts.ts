import { GIT_VALUED } from './gitCommands.ts';
import type { ShellPart, ShellWord } from './shellTypes.ts';
import { commandName } from './unwrapCommand.ts';

const VALUED: Readonly<Record<string, readonly string[]>> = { git: GIT_VALUED };

/** The texts under which a command may be known to a rule that forbids it: every disguise we can take off. */
export function disguisesOf(part: ShellPart): readonly string[] {
  const [head = '', ...rest] = part.words.map(({ text }) => text);
  const base = head.slice(head.lastIndexOf('/') + 1);
  const plain = withoutLeadingOptions(commandName(head), rest);
  const texts = [
    written(part.words),
    ...[head, base, base.toLowerCase()].flatMap((name) => [[name, ...rest].join(' '), [name, ...plain].join(' ')]),
  ];
  return [...new Set(texts)];
}

function withoutLeadingOptions(name: string, words: readonly string[]): readonly string[] {
  const valued = (Object.hasOwn(VALUED, name) && VALUED[name]) || [];
  let at = 0;
  while (words[at]?.startsWith('-')) at += valued.includes(words[at] ?? '') ? 2 : 1;
  return words.slice(at);
}

/** The texts that a rule which allows may be about: as written, or with quotes only where they are needed. */
export function namesOf(part: ShellPart): readonly string[] {
  const commands = [written(part.words), part.words.map(needful).join(' ')];
  const prefix = part.assignments.map(({ raw }) => raw).join(' ');
  const whole = prefix === '' ? [] : commands.map((command) => `${prefix} ${command}`.trim());
  return [...new Set([...whole, ...(part.assignments.every(isHarmless) ? commands : [])])];
}

export function written(words: readonly ShellWord[]): string {
  return words.map(({ raw }) => raw).join(' ');
}

/** `"git log"` is a command with a blank in its name, and must not pass for `git log`. */
function needful({ text, raw, expands }: ShellWord): string {
  return expands || /[^\w@%+=:,./~^-]/.test(text) || text === '' ? raw : text;
}

const HARMLESS =
  /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|NO_COLOR|FORCE_COLOR|CLICOLOR|COLORTERM|COLUMNS|LINES|CI|NODE_ENV|RUST_BACKTRACE|RUST_LOG|DEBUG|VERBOSE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GOOS|GOARCH)$/;
/** Shell variables of a script's own; `npm_config_…` and `…_proxy` are the lower-case ones that programs read. */
const OWN = /^(?!npm_)(?!.*_proxy$)(?!(?:path|fpath|cdpath|ifs)$)[a-z][a-z0-9_]*$/;

/** Variables that cannot make a command do something else, unlike PATH, LD_PRELOAD, GIT_SSH_COMMAND, PAGER, ... */
export function isHarmless({ name }: { readonly name: string }): boolean {
  return HARMLESS.test(name) || OWN.test(name);
}
