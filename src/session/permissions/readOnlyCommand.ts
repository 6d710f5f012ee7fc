/**
 * Whether a shell command surely changes nothing. A wrong "no" costs a question, a wrong "yes" costs a file: whatever
 * this small reader of shell syntax does not know (variables, substitution, redirection, escapes, comments, several
 * lines) is a no, and so is every command and every option that is not in the tables below.
 */
export function isReadOnlyCommand(command: string): boolean {
  const commands = readCommands(command);
  return commands !== null && commands.length > 0 && commands.every(isKnown);
}

interface Word {
  readonly text: string;
  /** An unquoted `*`, `?` or `[`: may become any file name, and so any option. */
  readonly isPattern: boolean;
}

type Rule = (args: readonly string[]) => boolean;

function isKnown([name, ...args]: readonly Word[]): boolean {
  // `[` is a command's name, and no pattern where it stands alone
  if (!name || (name.isPattern && name.text !== '[')) return false;
  if (HARMLESS.has(name.text)) return !args.some(({ text }) => followsLinks(name.text, text));
  const rule = Object.hasOwn(RULES, name.text) ? RULES[name.text] : undefined;
  if (!rule || args.some((arg) => arg.isPattern)) return false;
  return rule(args.map((arg) => arg.text));
}

/** None of these has an option that writes a file or starts a program. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['ls', 'cat', 'head', 'tail', 'wc', 'pwd', 'echo', 'true', 'false', 'stat', 'du', 'df', 'nl', 'cut', 'tr'],
  ...['dirname', 'basename', 'realpath', 'readlink', 'whoami', 'id', 'uname', 'nproc', 'which', 'cmp'],
  ...['grep', 'egrep', 'fgrep', 'md5sum', 'sha1sum', 'sha256sum'],
]);

/** `grep -R` reads through every link it meets; long options may be shortened. */
function followsLinks(name: string, arg: string): boolean {
  return /grep$/.test(name) && /^-[^-]*R|^--de/.test(arg);
}

const RULES: Readonly<Record<string, Rule>> = {
  date: (args) => args.every((arg) => arg.startsWith('+') || arg === '-u'),
  // -r reads through links
  diff: options(/^-[abBciNquwy\d]+$/, /^--(brief|unified|side-by-side|ignore-[a-z-]+)$/),
  // -L, -H and -follow leave through links
  find: options(/^-(not|or|and|o|a|P|print|print0|prune|empty|xdev|mount|depth|daystart|true|false)$/, {
    withValue:
      /^-(i?name|i?path|i?regex|regextype|type|maxdepth|mindepth|size|[acm](time|min)|newer|user|group|perm|printf)$/,
  }),
  // -C writes a file, -z starts programs
  file: options(/^-[bihkLNnprs0]+$/, /^--(brief|mime|mime-type|mime-encoding|dereference)$/),
  git: isReadOnlyGit,
  // a program may print the whole environment
  jq: (args) => args.every((arg) => !/\benv\b|\$ENV|^--?(?:f|L|from|raw|slurp-?file|arg)/i.test(arg)),
  // -v sets a variable
  printf: ([format = '']) => !format.startsWith('-'),
  // --pre and --hostname-bin start a program, -z starts one to unpack, -L leaves through links
  rg: (args) => !args.some((arg) => /^--(pre|hostname-bin|search-zip|follow)|^-[^-]*[zL]/.test(arg)),
  // -n alone: only then is the next word the script, and only this script neither writes nor runs anything
  sed: ([option, script = '', ...files]) =>
    option === '-n' && /^\d+(,(\d+|\$))?p$/.test(script) && !files.some((file) => file.startsWith('-')),
  sleep: (args) => args.every((arg) => /^[\d.]+[smhd]?$/.test(arg)),
  // -o writes, --compress-program runs
  sort: options(/^-[bcdfghimnrsuVz]+$/, /^-k[\d.,bdfghnr]+$/, /^-t.$/),
  test: (args) => args.every((arg) => arg !== '-v' && arg !== '-R'),
  '[': (args) => args.at(-1) === ']' && args.every((arg) => arg !== '-v' && arg !== '-R'),
  // -o writes, -R starts itself again with it
  tree: options(/^-[adfpugshDFiQNxrtvCn]+$/, { withValue: /^-[LPI]$/ }),
  // its second operand is written
  uniq: (args) => args.every((arg) => /^-[cdiuDz]+$/.test(arg)),
};

/** Every word that starts with a dash is one of these; what follows an option with a value may be anything. */
function options(...allowed: readonly (RegExp | { readonly withValue: RegExp })[]): Rule {
  const plain = allowed.filter((entry) => entry instanceof RegExp);
  const withValue = allowed.flatMap((entry) => (entry instanceof RegExp ? [] : [entry.withValue]));
  const matches = (patterns: readonly RegExp[], arg = '') => patterns.some((pattern) => pattern.test(arg));
  return (args) =>
    args.every(
      (arg, at) => !arg.startsWith('-') || matches(plain, arg) || matches(withValue, arg) || isValue(args, at),
    );

  function isValue(all: readonly string[], at: number): boolean {
    // only numbers (`-mtime -7`): were `-name` itself a value, the word after it would be an action
    return /^-\d+[a-zA-Z]?$/.test(all[at] ?? '') && matches(withValue, all[at - 1]);
  }
}

function isReadOnlyGit(args: readonly string[]): boolean {
  // `-c`, `-C` and the like can name a program or another repository's settings
  const [command = '', ...rest] = args[0] === '--no-pager' ? args.slice(1) : args;
  const rule = Object.hasOwn(GIT_RULES, command) ? GIT_RULES[command] : undefined;
  return rule !== undefined && !rest.some(isDangerousForGit) && rule(rest);
}

const GIT_DANGERS = ['--output', '--ext-diff', '--textconv', '--show-signature', '--open-files-in-pager', '--contents'];

/** Git takes any beginning of an option's name that is not ambiguous. */
function isDangerousForGit(arg: string): boolean {
  const [name = ''] = arg.split('=');
  const shortens = (danger: string) => name.length > 2 && danger.startsWith(name);
  // %G… asks gpg about signatures
  return arg.includes('%G') || GIT_DANGERS.some((danger) => name.startsWith(danger) || shortens(danger));
}

const anyArguments: Rule = () => true;
const GIT_RULES: Readonly<Record<string, Rule>> = {
  status: anyArguments,
  log: anyArguments,
  diff: anyArguments,
  show: anyArguments,
  blame: anyArguments,
  'ls-files': anyArguments,
  'rev-parse': anyArguments,
  branch: (args) => args.every((arg) => /^(-a|-r|-v|-vv|--all|--remotes|--verbose|--show-current)$/.test(arg)),
  remote: (args) => args.every((arg) => arg === '-v'),
  tag: (args) => args.length === 0 || (args.length === 1 && (args[0] === '-l' || args[0] === '--list')),
  stash: (args) => args.length === 1 && args[0] === 'list',
};

/** What a quote may hold: all but its end; in double quotes `$`, a backtick and `\` still mean something. */
const WORD_PARTS = /'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\<>&|;(){}!#~^]+)|([!^~])/y;
const SEPARATOR = /[ \t]*(&&|\|\||[|;])[ \t]*/y;

/** Commands between `&&`, `||`, `|` and `;`, or null for anything else. */
function readCommands(line: string): Word[][] | null {
  const commands: Word[][] = [[]];
  let at = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  while (at < line.length) {
    SEPARATOR.lastIndex = at;
    const separator = SEPARATOR.exec(line);
    const word = separator ? null : readWord(line, at);
    if (separator) {
      if (commands.at(-1)?.length === 0) return null;
      commands.push([]);
      at = SEPARATOR.lastIndex;
    } else if (word) {
      commands.at(-1)?.push(word.word);
      at = word.end;
    } else return null;
  }
  return commands.at(-1)?.length === 0 ? null : commands;
}

function readWord(line: string, start: number): { readonly word: Word; readonly end: number } | null {
  let [text, isPattern, end] = ['', false, start];
  for (;;) {
    WORD_PARTS.lastIndex = end;
    const part = WORD_PARTS.exec(line);
    if (!part) break;
    const [, single, double, bare, special] = part;
    text += single ?? double ?? bare ?? special ?? '';
    isPattern ||= bare !== undefined && /[*?[]/.test(bare);
    end = WORD_PARTS.lastIndex;
  }
  const spaces = /^[ \t]*/.exec(line.slice(end))?.[0].length ?? 0;
  const endsHere = end + spaces === line.length || spaces > 0 || /^(&&|\|\||[|;])/.test(line.slice(end));
  return end > start && endsHere ? { word: { text, isPattern }, end: end + spaces } : null;
}
