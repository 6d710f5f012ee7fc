import { SHELL_VALUED } from './commandWrappers.ts';
import type { ShellPart, ShellWord } from './shellTypes.ts';
import { hidden, hides, PLAIN, scriptOf, type Unwrapped } from './unwrapped.ts';

/** What a shell is given to run: the value of `-c`, or its standard input. */
export function unwrapShell(part: ShellPart): Unwrapped {
  const words = part.words.slice(1);
  let at = 0;
  let readsArgument = false;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? '';
    if (!/^[-+]./.test(text) || text === '--') break;
    if (/^-[A-Za-z]*c/.test(text)) readsArgument = true;
    if (SHELL_VALUED.has(text) || /^[-+][A-Za-z]*[oO][A-Za-z]*$/.test(text)) at++;
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
  const strings = part.redirects.filter(({ operator }) => operator === '<<<').map(({ target }) => target);
  const known = [...strings, ...part.inputs];
  const unclear = known.length === 0 || known.some(({ expands }) => expands);
  return {
    ...PLAIN,
    scripts: known.map(({ text }) => text),
    ...(unclear ? hidden('a shell in it reads commands that are only known later') : {}),
  };
}
