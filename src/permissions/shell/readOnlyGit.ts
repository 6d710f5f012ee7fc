import { sameRow } from './sameRow.ts';

type Args = readonly string[];

/** Whether `git` with these words only shows what is there. What a repository's own settings run is not asked here. */
export function gitOnlyReads(args: Args): boolean {
  if (args.length === 1 && (args[0] === '--version' || args[0] === 'version')) return true;
  // `-c`, `-C` and the like can name a program or another repository's settings
  const [command = '', ...rest] = args[0] === '--no-pager' ? args.slice(1) : args;
  const rule = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  return rule !== undefined && !rest.some(isDangerous) && rule(rest);
}

/** These write a file, run a program that settings name, or open a pager: `--help` starts one for the manual. */
const DANGERS = [
  ...['--output', '--ext-diff', '--textconv', '--filters', '--show-signature', '--open-files-in-pager', '--contents'],
  ...['--help', '--exec', '--upload-pack', '--recurse-submodules', '--submodule', '--no-index'],
];

/** Git takes any beginning of an option's name that is not ambiguous. */
function isDangerous(arg: string): boolean {
  const [name = ''] = arg.split('=');
  const shortens = (danger: string) => name.length > 2 && danger.startsWith(name);
  // these ask gpg about signatures
  return (
    arg.includes('%G') ||
    /%\(\*?signature/.test(arg) ||
    DANGERS.some((danger) => name.startsWith(danger) || shortens(danger))
  );
}

const withoutOperands = (args: Args): boolean => args.every((arg) => arg.startsWith('-'));

const COMMANDS: Readonly<Record<string, (args: Args) => boolean>> = {
  ...sameRow('status log diff show blame describe shortlog cherry name-rev rev-parse rev-list merge-base', () => true),
  ...sameRow('ls-files ls-tree for-each-ref diff-tree count-objects check-ignore cat-file', () => true),
  'show-ref': (args) => !args.some((arg) => arg.startsWith('--exclude-existing')),
  // -O opens a pager, -f reads a file of patterns
  grep: (args) => args.every((arg) => !/^-[a-zA-Z]*[Of]/.test(arg)),
  reflog: ([first = '']) => first === '' || first === 'show' || first.startsWith('-'),
  worktree: ([first, ...rest]) => first === 'list' && withoutOperands(rest),
  config: ([option = '', ...rest]) => /^(?:--get|--get-all|get)$/.test(option) && rest.length === 1,
  branch: (args) =>
    args.every((arg) =>
      /^(?:-a|-r|-v|-vv|--all|--remotes|--verbose|--show-current|--list|--merged|--no-merged|--sort=[\w:-]+)$/.test(
        arg,
      ),
    ),
  remote: (args) => args.every((arg) => arg === '-v') || (args[0] === 'get-url' && args.length === 2),
  tag: (args) => args.length === 0 || /^(?:-l|--list|-n\d*)$/.test(args[0] ?? ''),
  stash: ([first, ...rest]) => first === 'list' && withoutOperands(rest),
};
