import { givenInputs, type ShellPart, type ShellWord } from './shellTypes.ts';

/** What a command makes other commands of. */
export interface Unwrapped {
  /** Commands that stand in its own words; more than one when its options can be read in two ways. */
  readonly inner: readonly (readonly ShellWord[])[];
  /** Texts that it will read as shell commands. */
  readonly scripts: readonly string[];
  /** Texts that it hands to other programs by way of variables: `GIT_EDITOR='rm x' git commit`. */
  readonly variableScripts?: readonly string[];
  /** A rule for its one inner command covers it too. */
  readonly transparent: boolean;
  /** It runs others only because of an option, which a rule with a wildcard for it does not cover. */
  readonly beyond?: boolean;
  /** What it runs on another machine or in a container. */
  readonly elsewhere?: Pick<Unwrapped, 'inner' | 'scripts'>;
  /** Programs of another language in its words. */
  readonly code?: readonly string[];
  /** Why what it runs cannot be told. */
  readonly unclear?: string;
  /** Why it may run anything at all. */
  readonly hidden?: string;
}

export const PLAIN: Unwrapped = { inner: [], scripts: [], transparent: false };

export function scriptOf(words: readonly ShellWord[], by: string): Unwrapped {
  const script = words.map(({ text }) => text).join(' ');
  const unknown = words.some(({ expands, globs }) => expands || globs);
  return { ...PLAIN, scripts: [script], ...(unknown ? hidden(`${by} runs text that is only known later`) : {}) };
}

export function hides(reason: string): Unwrapped {
  return { ...PLAIN, ...hidden(reason) };
}

export function hidden(reason: string): Pick<Unwrapped, 'unclear' | 'hidden'> {
  return { unclear: reason, hidden: reason };
}

/** What a shell is given to run: the value of `-c`, or its standard input. */
export function unwrapShell(part: ShellPart): Unwrapped {
  const words = part.words.slice(1);
  let at = 0;
  let readsArgument = false;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? '';
    if (!/^[-+]./.test(text) || text === '--') break;
    if (/^-[A-Za-z]*c/.test(text)) readsArgument = true;
    // long options that take a value; of the short ones `-o` and `-O` do
    if (/^--(?:rcfile|init-file)$/.test(text) || /^[-+][A-Za-z]*[oO][A-Za-z]*$/.test(text)) at++;
  }
  const operand = words[words[at]?.text === '--' ? at + 1 : at];
  if (words.slice(0, at + 1).some(({ expands, globs }, index) => globs || (expands && index < at)))
    return hides('options of a shell are hidden');
  if (readsArgument) return scriptOf(operand ? [operand] : [], 'a shell');
  const fromFile = operand !== undefined && operand.text !== '-' && !words.slice(0, at).some(isStdinFlag);
  if (!fromFile || /^\/(?:dev|proc)\//.test(operand.text) || operand.expands) return stdinScript(part);
  return PLAIN;
}

function isStdinFlag({ text }: ShellWord): boolean {
  return /^-[A-Za-z]*s/.test(text);
}

/** A shell without a script reads one from stdin: a heredoc can be read by us too, a pipe cannot. */
export function stdinScript(part: ShellPart): Unwrapped {
  const known = givenInputs(part);
  const unclear = known.length === 0 || known.some(({ expands }) => expands);
  return {
    ...PLAIN,
    scripts: known.map(({ text }) => text),
    ...(unclear ? hidden('a shell in it reads commands that are only known later') : {}),
  };
}
