import { commandName } from '../../permissions/shell/unwrapCommand.ts';
import { ownValue } from '../../system/ownValue.ts';

const names = (text: string) => new Set(text.split(' '));

/** These read, print, or change only the shell they run in. */
const READS = names(
  'cat head tail less more grep egrep fgrep rg ag ls tree find fd fdfind wc pwd echo printf stat file du df diff cmp comm sort uniq cut tr tac rev fold paste join column jq yq awk gawk sed which type command whereis true false test [ [[ : cd pushd popd dirs basename dirname realpath readlink nl date env printenv id whoami uname hostname nproc ps pgrep uptime free seq expr bc od xxd hexdump md5sum sha1sum sha256sum bat sleep wait exit return set shopt export unset local declare read ulimit umask jobs xargs kill pkill killall fg bg disown trap mktemp',
);

/** `print > "file"`, `print | "sh"`, `system("rm x")` in a program, and `-i inplace`. */
const AWK_WRITES = /^(?:-i|--include)$|system\s*\(|print[^;}]*[>|]\s*["\w]/;

/** Options with which a reader writes or runs something. */
const WRITING: Readonly<Record<string, RegExp>> = {
  find: /^-(?:delete|fprint\w*|fls)$/,
  sort: /^(?:-[a-zA-Z]*o.*|--output.*|--compress-program.*)$/,
  sed: /^(?:-[a-zA-Z]*i.*|--in-place.*)$/,
  tree: /^-o/,
  yq: /^(?:-[a-zA-Z]*i|--inplace|--in-place)$/,
  date: /^(?:-s.*|--set.*)$/,
  awk: AWK_WRITES,
  gawk: AWK_WRITES,
  rg: /^--pre/,
  hostname: /^[^-]/,
};

/** Subcommands of other programs that only read. */
const READING_WORDS: Readonly<Record<string, RegExp>> = {
  pip: /^(?:list|show|freeze|check)\b/,
  pip3: /^(?:list|show|freeze|check)\b/,
  npm: /^(?:ls|list|ll|outdated|view|info|explain|why|root|prefix|bin|ping|whoami|config (?:get|list))\b/,
  pnpm: /^(?:ls|list|outdated|why|root)\b/,
  yarn: /^(?:list|info|why|versions)\b/,
  cargo: /^(?:tree|metadata|search|locate-project)\b/,
  go: /^(?:list|env|version|doc)\b/,
  docker: /^(?:ps|images|logs|inspect|version|info|compose (?:ps|logs|config|ls))\b/,
  podman: /^(?:ps|images|logs|inspect|version|info)\b/,
};

/** Files that only set up the shell that sources them. */
const SETUP_FILE = /(?:^|\/)(?:activate|nvm\.sh|\.(?:bash|zsh)rc|\.(?:bash_)?profile|\.env|env|setup-env\.sh)$/;

/** A project's own script may have the name of a reader: `./scripts/test`. */
const SYSTEM_FOLDER = /^(?:\/usr(?:\/local)?|\/opt(?:\/[\w-]+)?)?\/s?bin\//;

const VERSION_OPTIONS = ['--version', '-v', '-V'];

/** `program` as written. */
export function isRead(program: string, args: readonly string[]): boolean {
  const name = commandName(program);
  if (args.length === 1 && VERSION_OPTIONS.includes(args[0] ?? '')) return true;
  if (program.includes('/') && !SYSTEM_FOLDER.test(program)) return false;
  if (name === 'source' || name === '.') return SETUP_FILE.test(args[0] ?? '');
  const words = Object.hasOwn(READING_WORDS, name) ? READING_WORDS[name] : undefined;
  if (words?.test(args.join(' '))) return !args.some((word) => /^--(?:output|config|fix)(?:=|$)/.test(word));
  if (!READS.has(name)) return false;
  const writing = ownValue(WRITING, name);
  return writing === undefined || !args.some((word) => writing.test(word));
}
