import { ownValue } from '../../system/ownValue.ts';
import { sameRow } from './sameRow.ts';
import type { ShellPart } from './shellTypes.ts';
import type { Unwrapped } from './unwrapped.ts';

/** Interpreters that take a program among their words, and the options before it. None: the first word is it. */
const CODE_OPTIONS: Readonly<Record<string, RegExp | undefined>> = {
  python: /^-[a-zA-Z]*c$/,
  node: /^(?:-e|-p|-pe|--eval|--print)$/,
  bun: /^(?:-e|-p|--eval|--print)$/,
  deno: /^eval$/,
  perl: /^-[a-zA-Z0]*[eE]$/,
  ruby: /^-[a-zA-Z]*e$/,
  php: /^(?:-r|-B|-R|-E)$/,
  ...sameRow('lua rscript osascript', /^-e$/),
  ...sameRow('tclsh expect', /^-c$/),
  psql: /^(?:-c|--command)$/,
  mysql: /^(?:-e|--execute)$/,
  sqlite3: /^(?:-cmd|(?!-).*)$/s,
  awk: undefined,
  sed: undefined,
};
const SAME: Readonly<Record<string, string>> = { ...sameRow('gawk mawk nawk', 'awk'), gsed: 'sed', nodejs: 'node' };

/** Calls that start a command, in the languages above. */
const STARTS = new RegExp(
  [
    '\\b(?:system|os\\.execute|subprocess|pty|child_process|qx|Process|shell_exec|passthru|proc_open|__import__|eval)\\b',
    '\\bexec(?:[lv]p?e?|File|FileSync|Sync)?\\s*\\(',
    '\\b(?:popen|spawn|Command\\s*\\()',
    '`|%x|Open3|\\\\!|do shell script',
    '^\\s*\\.(?:shell|system)\\b',
  ].join('|'),
  'm',
);

/** Programs in the command's own words, or given to it as a heredoc; `hidden` when one may run commands of its own. */
export function inlineCode(
  name: string,
  part: ShellPart,
): Required<Pick<Unwrapped, 'code'>> & Pick<Unwrapped, 'hidden'> {
  const plain = ownValue(SAME, name) ?? name.replace(/^(python|perl|ruby|php|lua|tclsh)[\d.]+$/, '$1');
  if (!Object.hasOwn(CODE_OPTIONS, plain)) return { code: [] };
  const option = ownValue(CODE_OPTIONS, plain);
  const words = part.words.slice(1).map(({ text }) => text);
  const given = option ? words.filter((_, at) => option.test(words[at - 1] ?? '')) : programWords(words);
  const attached = option ? words.flatMap((word) => attachedCode(word, option)) : [];
  const strings = part.redirects.flatMap(({ operator, target }) => (operator === '<<<' ? [target.text] : []));
  const read = option ? strings : [];
  const texts = [...given, ...attached, ...read, ...part.inputs.map(({ text }) => text)];
  const hidden = `a program in the words of ${name} runs commands or writes files`;
  if (plain === 'sed') {
    const odd = texts.filter((text) => !isPlainSed(text));
    return odd.length === 0 ? { code: [] } : { code: odd.flatMap(withFiles), hidden };
  }
  const [starts, judged] = plain === 'awk' ? [AWK_RUNS, [...texts, ...awkOperands(words)]] : [STARTS, texts];
  // a backslash at the end of a line joins it with the next one, in awk and in sed too
  const runs = judged.some((text) => starts.test(text.replaceAll('\\\n', '')));
  return runs ? { code: judged, hidden } : { code: texts };
}

const AWK_VALUE = /^(?:-[a-zA-Z]*[vF]|--(?:a|fi)\w*)$/;

/** Every word that could be the program: which one it is depends on the awk and on options that take a value. */
const awkOperands = (words: readonly string[]) =>
  words.filter((word, at) => !/^(?:-[vF]|--(?:a|fi)\w*=)/.test(word) && !AWK_VALUE.test(words[at - 1] ?? ''));

/** What stands after `r` and `w` of sed is a file, also without a blank: `s/a/b/w.env`. */
const withFiles = (script: string) => [script, script.replaceAll(/[rRwW](?=\S)/g, '$& ')];

/** `-e'code'` */
function attachedCode(word: string, option: RegExp): string[] {
  const short = /^(-[a-zA-Z])(.+)$/s.exec(word);
  return short?.[1] !== undefined && option.test(short[1]) && !option.test(word) ? [short[2] ?? ''] : [];
}

/**
 * Of awk and sed the program is the value of `-e`, or the first word that is not an option. An `-e` after that word may be
 * an argument of the program, so both count.
 */
export function programWords(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word, at) => !word.startsWith('-') && !TAKES_VALUE.test(words[at - 1] ?? ''));
  const chosen = words.flatMap((word, at) => {
    // long options may be shortened, letters put together: `--expr=…`, `-ne …`
    if (/^(?:-[a-zA-Z]*e|--e\w*|--so\w*)$/.test(words[at - 1] ?? '')) return [{ word, at }];
    const code = word.replace(/^(?:-[nErsuz]*e|--(?:e|so)\w*=)/, '');
    return code === word || code === '' ? [] : [{ word: code, at }];
  });
  const isFirst = first !== -1 && !chosen.some(({ at }) => at <= first);
  return [...(isFirst ? words.slice(first, first + 1) : []), ...chosen.map(({ word }) => word)];
}

const TAKES_VALUE = /^-[vFf]$/;

/** `system()`, a pipe, output to a file, another language's extensions. `||` and `a > b` compare. */
const AWK_RUNS = /\bsystem\s*\(|(?<!\|)\|(?!\|)|\bprintf?\b[^;}\n]*>|@load|@include|@\w+\s*\(|\bgetline\b/;

/**
 * Anything in a sed script but plain substitutions and the commands that only print, delete or move through the text:
 * `e` runs a command, `w` and `W` write a file, and so do the flags of `s`.
 */
const SED_ADDRESS = '(?:\\d+|\\$|/(?:\\\\.|[^/\\\\\\n])*/I?)(?:~\\d+)?';
const SED_SUBSTITUTION =
  's(?:/(?:\\\\.|[^/\\\\\\n])*/(?:\\\\.|[^/\\\\\\n])*/|\\|(?:\\\\.|[^|\\\\\\n])*\\|(?:\\\\.|[^|\\\\\\n])*\\||#(?:\\\\.|[^#\\\\\\n])*#(?:\\\\.|[^#\\\\\\n])*#|,(?:\\\\.|[^,\\\\\\n])*,(?:\\\\.|[^,\\\\\\n])*,)[gpiIm0-9]*';
const SED_COMMAND = `(?:${SED_ADDRESS}(?:,(?:\\+?${SED_ADDRESS}|\\+\\d+))?)?\\s*!?\\s*(?:${SED_SUBSTITUTION}|[pdDPqQnNgGhHxl=]|y/[^/\\\\\\n]*/[^/\\\\\\n]*/|[aic]\\\\?\\s*[^\\n]*|\\{|\\}|[bt]\\s*\\w*|:\\w+)`;
const PLAIN_SED = new RegExp(`^\\s*(?:${SED_COMMAND})?(?:\\s*(?:[;\\n}]|(?<=\\{))\\s*(?:${SED_COMMAND})?)*\\s*$`);
/** Whether a script of sed neither runs nor opens anything. */
export function isPlainSed(script: string): boolean {
  return script.length <= 500 && PLAIN_SED.test(script.replaceAll('\\\n', ''));
}
