import { ownValue } from '../../system/ownValue.ts';
import { gitOnlyReads } from './readOnlyGit.ts';
import { namesIn, sameRow } from './sameRow.ts';

/** Whether a program with these words surely changes nothing and starts nothing. Each word is known to its last letter. */
export type OnlyReads = (args: readonly string[]) => boolean;

/** None of these has an option that writes a file or starts a program. */
const WITHOUT_EFFECT = namesIn(
  'ls cat head tail wc echo true false stat du df nl cut tr dirname basename realpath readlink whoami id groups ' +
    'uname arch nproc which cmp comm paste join tac rev column fold fmt expand unexpand seq expr od hexdump strings tsort ' +
    'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base64 cal free uptime locale getconf egrep fgrep',
);

/** What stands after a program's name when it is only asked for its version; some run a project's code even then. */
const VERSION: Readonly<Record<string, RegExp>> = {
  ...sameRow('node make', /^(?:-v|--version)$/),
  ...sameRow('python python3', /^(?:-V|--version)$/),
  ...sameRow('gcc bash', /^--version$/),
};

const RULES: Readonly<Record<string, OnlyReads>> = {
  date: options(/^(?:-u|-R|-I(?:date|hours|minutes|seconds)?|--utc|--date=.*)$/, { withValue: /^-d$/ }, (arg) =>
    arg.startsWith('+'),
  ),
  // -r reads through links
  diff: options(/^-[abBcinNquwy\d]+$/, /^--(brief|unified|side-by-side|ignore-[a-z-]+)$/),
  // -L, -H and -follow leave through links
  find: options(/^-(not|or|and|o|a|P|print|print0|ls|prune|empty|xdev|mount|depth|daystart|true|false|quit)$/, {
    withValue:
      /^-(i?name|i?path|i?wholename|i?regex|regextype|type|maxdepth|mindepth|size|[acm](time|min)|newer|user|group|perm|printf)$/,
  }),
  // -C writes a file, -z starts programs
  file: options(/^-[bihkLNnprs0]+$/, /^--(brief|mime|mime-type|mime-encoding|dereference)$/),
  git: gitOnlyReads,
  // -R reads through every link it meets; long options may be shortened
  grep: (args) => !args.some((arg) => /^-[^-]*R|^--de/.test(arg)),
  // a name is set
  hostname: (args) => args.every((arg) => /^-[fsIidA]$/.test(arg)),
  // a program may print the whole environment, or load others
  jq: (args) =>
    args.every(
      (arg) =>
        !/\benv\b|\$ENV|\binclude\b|\bimport\b/.test(arg) &&
        (!arg.startsWith('-') ||
          /^(?:-[rescnSMCja]+|--(?:tab|slurp|indent|[a-z]+-output|sort-keys|null-input))$/.test(arg)),
    ),
  lsof: options(/^-[nPtil]+$/, { withValue: /^-[ipu]$/ }),
  pgrep: options(/^-[flanxvc]+$/, { withValue: /^-[uPg]$/ }),
  // -v sets a variable
  printf: ([format = '']) => !format.startsWith('-'),
  pwd: (args) => args.length === 0,
  // without a dash an `e` shows the environment of others
  ps: options(/^-[AaefFlwx]+$/, { withValue: /^-[opCu]$/ }, (arg) => /^(?:[auxwf]+|\d+)$/.test(arg)),
  // --pre and --hostname-bin start a program, -z starts one to unpack, -L leaves through links
  rg: (args) => args.every((arg) => !arg.startsWith('-') || isPlainSearchOption(arg)),
  // -n alone: only then is the next word the script, and only such a script neither writes nor runs anything
  sed: ([option, script = '', ...files]) =>
    option === '-n' && ONLY_PRINTS.test(script) && !files.some((file) => file.startsWith('-')),
  sleep: (args) => args.every((arg) => /^[\d.]+[smhd]?$/.test(arg)),
  // -o writes, --compress-program runs
  sort: options(/^-[bcdfghimnrsuVz]+$/, /^-k[\d.,bdfghnr]+$/, /^-t.$/, { withValue: /^-[kt]$/ }),
  test: (args) => args.every((arg) => arg !== '-v' && arg !== '-R'),
  '[': (args) => args.at(-1) === ']' && args.every((arg) => arg !== '-v' && arg !== '-R'),
  '[[': (args) => args.at(-1) === ']]',
  // -o writes, -R starts itself again with it
  tree: options(/^-[adfpugshDFiQNxrtvCn]+$/, { withValue: /^-[LPI]$/ }),
  type: (args) => args.every((arg) => !arg.startsWith('-') || /^-[atpP]+$/.test(arg)),
  // its second operand is written
  uniq: (args) => args.every((arg) => /^-[cdiuDz]+$/.test(arg)),
  // -r writes, and so does a second operand
  xxd: (args) =>
    args.filter((arg) => !/^-/.test(arg) && !/^\d+$/.test(arg)).length < 2 && !args.some((arg) => /^-r/.test(arg)),
};

/** `10,20p`, `/start/,/end/p`, several with semicolons. */
const ADDRESS = '(?:\\d+|\\$|/(?:\\\\[^\\n]|[^/\\\\\\n])*/)';
const ONLY_PRINTS = new RegExp(`^${ADDRESS}(?:,\\+?${ADDRESS})?[p=](?:;${ADDRESS}(?:,\\+?${ADDRESS})?[p=])*$`);

const SEARCH_OPTION = new RegExp(
  `^--(?:${[
    'files|i?glob|type(?:-not|-list)?|count(?:-matches)?|files-with(?:-matches|out-match)|(?:ignore|smart)-case|case-sensitive',
    'fixed-strings|(?:word|line)-regexp|invert-match|(?:no-)?line-number|(?:no-)?heading|hidden|no-ignore(?:-[a-z]+)*',
    'max-(?:count|depth|filesize|columns)|(?:after-|before-)?context|colors?|json|stats|sortr?|multiline(?:-dotall)?|pcre2',
    'only-matching|quiet|replace|text|trim|vimgrep|(?:with|no)-filename|column|null|regexp|version|no-messages|no-config|pretty',
  ].join('|')})(?:=|$)`,
);

function isPlainSearchOption(arg: string): boolean {
  return arg.startsWith('--') ? arg === '--' || SEARCH_OPTION.test(arg) : !/[zL]/.test(arg);
}

/** Undefined for a program that is not known. */
export function onlyReads(program: string): OnlyReads | undefined {
  if (WITHOUT_EFFECT.has(program)) return () => true;
  if (Object.hasOwn(RULES, program)) return RULES[program];
  const version = ownValue(VERSION, program);
  return version && ((args) => args.length === 1 && version.test(args[0] ?? ''));
}

type Allowed = RegExp | { readonly withValue: RegExp } | ((arg: string) => boolean);

/**
 * Every word that starts with a dash is one of these; what follows an option with a value may be anything that does not.
 * With a function among them, all other words must meet it.
 */
function options(...allowed: readonly Allowed[]): OnlyReads {
  const plain = allowed.filter((entry) => entry instanceof RegExp);
  const operand = allowed.find((entry) => typeof entry === 'function');
  const withValue = allowed.flatMap((entry) => ('withValue' in entry ? [entry.withValue] : []));
  const matches = (patterns: readonly RegExp[], arg = '') => patterns.some((pattern) => pattern.test(arg));
  return (args) => args.every((arg, at) => (arg.startsWith('-') ? isOption(args, at) : isOperand(args, at)));

  function isOption(args: readonly string[], at: number): boolean {
    const arg = args[at] ?? '';
    if (matches(plain, arg) || matches(withValue, arg)) return true;
    // only numbers (`-mtime -7`): were `-name` itself a value, the word after it would be an action
    return /^-\d+[a-zA-Z]?$/.test(arg) && matches(withValue, args[at - 1]);
  }

  function isOperand(args: readonly string[], at: number): boolean {
    return operand === undefined || matches(withValue, args[at - 1]) || operand(args[at] ?? '');
  }
}
