/** What a shell command is for, as far as a landing agent may still run it. */
export type LandingPurpose = 'commit' | 'test' | 'read' | 'other';

const READS = new Set(
  'cat head tail less grep rg ls find wc pwd echo printf stat file du df diff cmp sort uniq cut tr column jq which type date true false test cd env basename dirname realpath readlink nl'.split(
    ' ',
  ),
);
const GIT_READS = new Set(
  'status diff log show rev-parse branch ls-files blame describe remote config shortlog'.split(' '),
);
const GIT_COMMITS = new Set('add commit stash rm mv restore push notes tag'.split(' '));
/** `npm test`, `pnpm run lint`, `yarn check`, … */
const SCRIPT_RUNNERS = new Set('npm pnpm yarn bun npx make just task deno'.split(' '));
const TEST_WORD =
  /^(?:t|test|tests|check|checks|lint|typecheck|type-check|verify|vitest|jest|mocha|tsc|eslint|biome|playwright)(?:[:_-].*)?$/;
const TEST_PROGRAMS = new Set(
  'pytest vitest jest mocha tsc eslint biome ruff mypy phpunit rspec ctest tox nox ava tap'.split(' '),
);
const TEST_SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  cargo: ['test', 'check', 'clippy', 'nextest'],
  go: ['test', 'vet'],
  gradle: ['test', 'check'],
  './gradlew': ['test', 'check'],
  mvn: ['test', 'verify'],
  dotnet: ['test'],
  swift: ['test'],
  mix: ['test'],
  rake: ['test', 'spec'],
};
/** `find -delete`, `sort -o`: readers that can write. */
const WRITING_FLAGS = /^(?:-delete|-exec|-execdir|-ok|-fprint\w*|-o|--output(?:=.*)?|-i|--in-place)$/;
/** Output that goes nowhere or beside the other: still a read. */
const HARMLESS_REDIRECTION = /\d?>&\d|(?:\d|&)?>\s*\/dev\/null/g;
/** A command inside a command, or output into a file: not plainly a read any more. */
const HIDDEN = /\$\(|`|<\(|>/;

/**
 * The most that any part of a command line does: one edit among reads makes it an edit. Cautious on purpose: what it does
 * not know is `other`.
 */
export function landingPurpose(command: string): LandingPurpose {
  // the message of a commit may hold anything
  const bare = command
    .replaceAll(/'[^']*'|"(?:[^"\\`$]|\\.|\$(?!\())*"/g, 'word')
    .replaceAll(HARMLESS_REDIRECTION, ' ');
  if (HIDDEN.test(bare)) return 'other';
  const parts = bare.split(/&&|\|\||[;|\n&]/).map((part) => part.trim());
  const purposes = parts.filter((part) => part !== '').map(purposeOfWords);
  return ORDER.find((purpose) => purposes.includes(purpose)) ?? 'read';
}

/** From the most to the least. */
const ORDER: readonly LandingPurpose[] = ['other', 'test', 'commit', 'read'];

function purposeOfWords(part: string): LandingPurpose {
  const words = part.split(/\s+/).filter((word) => !/^\w+=/.test(word) && !/^\d?[<>]/.test(word));
  const [program = '', ...args] = words;
  if (program === 'git') return purposeOfGit(args);
  if (READS.has(program)) return args.some((word) => WRITING_FLAGS.test(word)) ? 'other' : 'read';
  const first = args.find((word) => word !== 'run' && !word.startsWith('-')) ?? '';
  const isTest =
    TEST_PROGRAMS.has(program) ||
    (SCRIPT_RUNNERS.has(program) && TEST_WORD.test(first)) ||
    (TEST_SUBCOMMANDS[program]?.includes(first) ?? false) ||
    (/^(?:python3?|node)$/.test(program) && /(?:^| )(?:-m (?:pytest|unittest)|--test)(?: |$)/.test(args.join(' ')));
  return isTest ? 'test' : 'other';
}

function purposeOfGit(args: readonly string[]): LandingPurpose {
  const at = args.findIndex(
    (word, index) => !word.startsWith('-') && args[index - 1] !== '-C' && args[index - 1] !== '-c',
  );
  const subcommand = args[at] ?? '';
  if (GIT_READS.has(subcommand)) return 'read';
  return GIT_COMMITS.has(subcommand) ? 'commit' : 'other';
}
