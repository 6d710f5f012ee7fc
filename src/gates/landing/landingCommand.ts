/** What a shell command is for, as far as a landing agent may still run it. */
export type LandingPurpose = 'commit' | 'test' | 'read' | 'other';

const words = (text: string) => new Set(text.split(' '));

const READS = words(
  'cat head tail less grep rg ls find wc pwd echo printf stat file du df diff cmp sort uniq cut tr column jq which type true false test cd basename dirname realpath readlink nl',
);
const GIT_READS = words('status diff log show rev-parse ls-files blame describe shortlog');
/** Lists when it has no name to act on. */
const GIT_LISTS = words('branch remote tag');
const GIT_COMMITS = words('add commit push');
/** Say how, not what: the command behind them counts. */
const WRAPPERS = words('time nice nohup command');
/** `npm test`, `pnpm run lint`, `yarn check`, … */
const SCRIPT_RUNNERS = words('npm pnpm yarn bun npx make just task deno');
/** `uv run pytest`: what follows counts. */
const ENVIRONMENTS = words('uv poetry pdm hatch pipenv bundle pnpm yarn npx');
const TEST_WORD =
  /^(?:t|test|tests|check|checks|lint|typecheck|type-check|verify|vitest|jest|mocha|tsc|eslint|biome|playwright)(?:[:_-].*)?$/;
const TEST_PROGRAMS = words('pytest vitest jest mocha tsc eslint biome ruff mypy phpunit rspec ctest tox nox ava tap');
const TEST_SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  cargo: ['test', 'check', 'clippy', 'nextest'],
  go: ['test', 'vet'],
  gradle: ['test', 'check'],
  gradlew: ['test', 'check'],
  mvn: ['test', 'verify'],
  dotnet: ['test'],
  swift: ['test'],
  mix: ['test'],
  rake: ['test', 'spec'],
};
/** `find -delete`, `sort -o`, `git diff --output`: readers that can write. */
const WRITING_FLAGS = /^(?:-delete|-exec|-execdir|-ok|-fprint\w*|-fls|-o|--output(?:=.*)?|-i|--in-place)$/;
const FORCING_FLAGS = /^(?:-f|--force(?:-.*)?|--mirror|--delete|-d|--prune)$/;
/** Output that goes nowhere or beside the other: still a read. */
const HARMLESS_REDIRECTION = /\d?>&\d|(?:\d|&)?>\s*\/dev\/null/g;
/** A command inside a command, or output into a file: not plainly a read any more. */
const HIDDEN = /\$\(|`|<\(|>/;
/** How agents write a message of several lines: `-m "$(cat <<'EOF' … EOF)"`. Quoted, nothing in it is run. */
const MESSAGE = /"\$\(cat <<-?\s*(['"])(\w+)\1\n[\s\S]*?\n\s*\2\s*\)"/g;

/**
 * The most that any part of a command line does: one edit among reads makes it an edit. Cautious on purpose: what it does
 * not know is `other`.
 */
export function landingPurpose(command: string): LandingPurpose {
  // the message of a commit may hold anything
  const bare = command
    .replaceAll(MESSAGE, 'word')
    .replaceAll(/'[^']*'|"(?:[^"\\`$]|\\.|\$(?!\())*"/g, 'word')
    .replaceAll(HARMLESS_REDIRECTION, ' ');
  if (HIDDEN.test(bare)) return 'other';
  const parts = bare.split(/&&|\|\||[;|\n&]/).map((part) => part.trim());
  const purposes = parts.filter((part) => part !== '').map((part) => purposeOf(part.split(/\s+/)));
  return ORDER.find((purpose) => purposes.includes(purpose)) ?? 'read';
}

/** From the most to the least. */
const ORDER: readonly LandingPurpose[] = ['other', 'test', 'commit', 'read'];

function purposeOf(said: readonly string[]): LandingPurpose {
  const [path = '', ...args] = unwrapped(said.filter((word) => !/^\d?[<>]/.test(word)));
  const program = path.slice(path.lastIndexOf('/') + 1);
  if (program === 'git') return purposeOfGit(args);
  if (program === 'sed') return args[0] === '-n' && !args.some((word) => WRITING_FLAGS.test(word)) ? 'read' : 'other';
  if (READS.has(program)) return args.some((word) => WRITING_FLAGS.test(word)) ? 'other' : 'read';
  return isTest(program, args) ? 'test' : 'other';
}

/** Without variables, `time`, `timeout 60`, and what only sets up an environment. */
function unwrapped(said: readonly string[]): readonly string[] {
  const [first = '', second = '', ...rest] = said;
  if (first === '') return [];
  if (/^\w+=/.test(first) || WRAPPERS.has(first)) return unwrapped(said.slice(1));
  if (first === 'timeout') return unwrapped(rest.length > 0 || /^[\d.]+[smhd]?$/.test(second) ? said.slice(2) : []);
  if (ENVIRONMENTS.has(first) && (second === 'run' || second === 'exec') && TEST_PROGRAMS.has(rest[0] ?? ''))
    return rest;
  return said;
}

function isTest(program: string, args: readonly string[]): boolean {
  const first = args.find((word) => word !== 'run' && !word.startsWith('-')) ?? '';
  return (
    TEST_PROGRAMS.has(program) ||
    (SCRIPT_RUNNERS.has(program) && TEST_WORD.test(first)) ||
    (TEST_SUBCOMMANDS[program]?.includes(first) ?? false) ||
    (/^(?:python3?|node)$/.test(program) && /(?:^| )(?:-m (?:pytest|unittest)|--test)(?: |$)/.test(args.join(' ')))
  );
}

function purposeOfGit(args: readonly string[]): LandingPurpose {
  const at = args.findIndex(
    (word, index) => !word.startsWith('-') && args[index - 1] !== '-C' && args[index - 1] !== '-c',
  );
  // a setting can name a program
  const settings = args.slice(0, at).filter((_word, index) => args[index - 1] === '-c');
  if (settings.some((setting) => !/^(?:user|commit)\./.test(setting))) return 'other';
  const [subcommand = '', ...rest] = args.slice(at);
  if (rest.some((word) => WRITING_FLAGS.test(word) && subcommand !== 'commit')) return 'other';
  if (GIT_READS.has(subcommand)) return 'read';
  if (GIT_LISTS.has(subcommand))
    return rest.every((word) => /^(?:-[arv]+|--list|--show-current)$/.test(word)) ? 'read' : 'other';
  if (!GIT_COMMITS.has(subcommand)) return 'other';
  return subcommand === 'push' && rest.some((word) => FORCING_FLAGS.test(word) || word.startsWith('+'))
    ? 'other'
    : 'commit';
}
