import { ownValue } from '../../system/ownValue.ts';
import { namesIn, sameRow } from './sameRow.ts';
import { givenTexts, type ShellPart } from './shellTypes.ts';

/**
 * Programs that can run commands and open files by a language of their own, and the words in which it may stand. What
 * is said there is not taken apart: a deny rule holds when it is mentioned.
 */
const WORDS: Readonly<Record<string, RegExp>> = {
  ...sameRow('bind dc', /^/),
  cargo: /=/,
  ed: /^!/,
  emacs: /^\(|=/,
  ...sameRow('ex gdb lldb', /\s|!/),
  gnuplot: /\s/,
  ...sameRow('julia r rscript', /\(/),
  make: /^(?:--eval|SHELL=|MAKEFLAGS=|.*\$\()/,
  ...sameRow('vi vim nvim', /^\+|\s|!/),
};
/** Programs that read such texts from their standard input. */
const READS = namesIn(
  'bc dc ed ex expect ftp gdb ghci gmake gnuplot guile irb jshell julia lldb m4 make octave r rscript sftp sqlite3 tclsh wish',
);
/** Variables whose values programs take for options or settings. */
const VARIABLES = /^(?:LESS|MAKEFLAGS|GIT_CONFIG_\w+|\w*OPT(?:S|IONS)?)$/;

/** Texts in a command that another program may act on. */
export function mentionedTexts(name: string, part: ShellPart): string[] {
  const pattern = ownValue(WORDS, name === 'gmake' ? 'make' : name);
  const own = part.words.slice(1).map(({ text }) => text);
  // `--eval x`
  const said = own.filter((text, at) => pattern?.test(text) || (name === 'make' && own[at - 1] === '--eval'));
  const read = READS.has(name) ? givenTexts(part) : [];
  const given = part.assignments.flatMap((one) => (VARIABLES.test(one.name) ? [one.value.text] : []));
  return [...said, ...read, ...given];
}
