import { ownValue } from '../../system/ownValue.ts';
import { commandName } from './unwrapCommand.ts';

const names = (text: string) => new Set(text.split(' '));

const TEST_PROGRAMS = names(
  'pytest py.test vitest jest mocha tsc vue-tsc svelte-check eslint biome oxlint stylelint markdownlint ruff mypy pyright flake8 pylint bandit phpunit pest phpstan psalm rspec cucumber behave robot nose2 nosetests ctest tox nox ava tap bats prove busted luacheck shellcheck hadolint yamllint actionlint tflint karma golangci-lint staticcheck cppcheck swiftlint ktlint detekt credo',
);
/** These format by default, and only check with an option. */
const FORMATTERS = names('prettier black isort rustfmt gofmt shfmt clang-format dprint');
/** `npm test`, `pnpm run lint`, `yarn check`, … */
const SCRIPT_RUNNERS = names(
  'npm pnpm yarn bun npx make gmake just task deno turbo earthly pants please buck buck2 moon ng nx lerna rush ninja meson bazel rake composer artisan hatch pdm',
);
/** Their options whose value is the next word. */
const RUNNER_VALUES = names(
  '--prefix -C -f --file --makefile --directory -w --workspace --filter -F -j --cwd --dir -p --project',
);
/** Words between the runner and the name of the task. */
const RUNNER_WORDS = names('run run-script run-many rum exec foreach -t --');
const TEST_SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  cargo: ['test', 't', 'check', 'clippy', 'nextest'],
  go: ['test', 'vet'],
  gradle: ['test', 'check'],
  gradlew: ['test', 'check'],
  mvn: ['test', 'verify'],
  mvnw: ['test', 'verify'],
  dotnet: ['test'],
  swift: ['test'],
  mix: ['test'],
  sbt: ['test'],
  lein: ['test'],
  stack: ['test'],
  cabal: ['test'],
  dart: ['test', 'analyze'],
  flutter: ['test', 'analyze'],
  rails: ['test', 'spec'],
  'pre-commit': ['run'],
  prek: ['run'],
  playwright: ['test'],
  cypress: ['run', 'verify'],
  zig: ['test', 'build test'],
  'react-scripts': ['test'],
  'vue-cli-service': ['test:unit', 'lint'],
  dune: ['test', 'runtest'],
  rebar3: ['eunit', 'ct', 'dialyzer'],
  gleam: ['test', 'check'],
  crystal: ['spec'],
  nimble: ['test'],
  dub: ['test'],
  forge: ['test'],
  hardhat: ['test'],
  xcodebuild: ['test'],
  terraform: ['validate', 'test'],
  helm: ['lint'],
  buf: ['lint'],
  'wasm-pack': ['test'],
  codecept: ['run'],
};
/** Names of scripts and targets that only check. */
const TEST_WORDS = names(
  't tst test tests check checks lint linter typecheck types type-check tsc verify validate spec specs e2e unit integration smoke coverage vitest jest mocha eslint biome playwright',
);
const TEST_ENDING = /[:_./-](?:tests?|checks?|lint|specs?)$/;
/** Names of those that edit, or never end. */
const EDITS = /(?:^|[:_-])(?:fix|write|format|update|watch|dev|serve)$/;
export const EDITING_FLAGS =
  /^(?:--fix(?!-dry-run)(?:[-=].*)?|--(?:write|unsafe|apply|rewrite|overwrite|accept|bless|record|regen(?:erate)?|force-regen|auto-?(?:fix|correct)|in-?place)(?:[-=].*)?|--?(?:golden\.)?update(?:[-=]?\w.*)?|--snapshot-update|--inline-snapshot=(?!disable|report|review).*|--watch|--watchAll|--init)$/i;
/** Here `-u` updates snapshots; elsewhere it has another meaning, as in `python -u`. */
const UPDATES_BY_U = names('jest vitest ava tap react-scripts npm pnpm yarn bun npx');
/** Options that make a runner use another shell or program. */
const PROGRAM_OPTION = /^--(?:script-shell|shell|shell-emulator|node-options|userconfig|globalconfig|eval)(?:=|$)/;
const SHELL_VARIABLES = ['SHELL=', '.SHELLFLAGS='];
const INTERPRETERS = /^(?:bash|sh|zsh|dash|python[\d.]*|node|nodejs|ruby|perl|php|tsx|ts-node|bun|deno|coverage)$/;
/** `tests/…`, `test_all.py`, `run-tests.sh`, `unit.test.js`; but `generate_tests.py` writes them. */
const TEST_FILE =
  /(?:^|\/)(?:tests?|__tests__|specs?)\/|(?:^|\/)(?:run[-_]?)?(?:tests?|checks?|specs?|verify|lint)(?:[._-][^/]*)?$|[._-](?:tests?|checks?|specs?|verify|lint)(?:\.\w+)*$/i;
const WRITES_TESTS = /(?:^|\/)(?:gen|generate|update|fix|write|make|build|create|edit|new|add|record)[^/]*$/i;

/** Whether a command runs tests or checks, and edits nothing. `program` is as written: a path means a script. */
export function isTest(program: string, args: readonly string[]): boolean {
  const name = commandName(program);
  if (args.some(changesMore)) return false;
  if (UPDATES_BY_U.has(name) && args.includes('-u')) return false;
  if (TEST_PROGRAMS.has(name)) return args[0] !== 'format';
  if (FORMATTERS.has(name)) return args.some((word) => /^(?:--check|--diff|-c|-l|-d|--list-different)/.test(word));
  if (SCRIPT_RUNNERS.has(name) && isTestTask(name, args)) return true;
  if (ownValue(TEST_SUBCOMMANDS, name) !== undefined) return isTestSubcommand(name, args);
  if (INTERPRETERS.test(name)) return interpretsTest(args);
  return program.includes('/') && isTestFile(program);
}

/** Cheap tests first: at a tool call, compiling a pattern takes longer than everything else here. */
function changesMore(word: string): boolean {
  if (word.startsWith('-')) return EDITING_FLAGS.test(word) || PROGRAM_OPTION.test(word);
  return SHELL_VARIABLES.some((start) => word.startsWith(start));
}

/** `test`, `test:unit`, `lint-staged`, `my-checks`. */
function isTestWord(word: string): boolean {
  if (TEST_WORDS.has(word)) return true;
  const isLonger = [...TEST_WORDS].some(
    (start) => word.startsWith(start) && ':_./-'.includes(word.charAt(start.length)),
  );
  return (isLonger && !/[\n\r\u2028\u2029]/.test(word)) || TEST_ENDING.test(word);
}

function isTestTask(name: string, args: readonly string[]): boolean {
  const tasks = plainWords(args).filter((word) => !RUNNER_WORDS.has(word));
  const [first = '', second = '', third = ''] = tasks;
  const task = first === 'workspace' || first === 'workspaces' ? (isTestWord(second) ? second : third) : first;
  // make takes several targets, the others pass further words on
  const named =
    name === 'make' || name === 'gmake' || name === 'ninja' ? tasks.filter((word) => !word.includes('=')) : [task];
  return named.length > 0 && named.every((word) => (isTestWord(word) || TEST_PROGRAMS.has(word)) && !EDITS.test(word));
}

function isTestSubcommand(name: string, args: readonly string[]): boolean {
  const known = ownValue(TEST_SUBCOMMANDS, name) ?? [];
  const tasks = plainWords(args).filter((word) => !word.startsWith('+'));
  if (name === 'cargo' && tasks[0] === 'fmt') return args.includes('--check');
  const [first = '', second = ''] = tasks;
  return known.some((task) => task === first || task === first.split(':').at(-1) || task === `${first} ${second}`);
}

/** `python -m pytest`, `node --test`, `bash scripts/test.sh`, `php artisan test`. */
function interpretsTest(args: readonly string[]): boolean {
  if (args.includes('--test')) return true;
  const module = args[args.indexOf('-m') + 1] ?? '';
  if (args.includes('-m'))
    return TEST_PROGRAMS.has(module) || /^(?:unittest|doctest|coverage|compileall)$/.test(module) || isTestWord(module);
  if (args.some((word) => /^-[a-z]*[ce]$|^--(?:eval|print)$/.test(word))) return false;
  const [first = '', second = ''] = plainWords(args).filter((word) => word !== 'run');
  if (/^(?:artisan|manage\.py|bin\/rails|console)$/.test(first)) return isTestWord(second);
  return first === 'test' || isTestFile(first);
}

/** Without options and their values. */
function plainWords(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  return own.filter((word, at) => !word.startsWith('-') && !RUNNER_VALUES.has(own[at - 1] ?? ''));
}

const isTestFile = (file: string) =>
  TEST_FILE.test(file) && !WRITES_TESTS.test(file) && !EDITS.test(file.replace(/\.\w+$/, ''));
