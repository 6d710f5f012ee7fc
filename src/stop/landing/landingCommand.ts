import { type FoundCommand, findCommands } from '../../permissions/shell/findCommands.ts';
import type { ShellPart, ShellRedirect } from '../../permissions/shell/shellTypes.ts';
import { isTest } from '../../permissions/shell/testCommands.ts';
import { commandName } from '../../permissions/shell/unwrapCommand.ts';
import { attempt } from '../../system/attempt.ts';
import { gitPurpose, type LandingPurpose } from './gitPurpose.ts';
import { setsProgram } from './programVariables.ts';
import { isRead } from './readCommands.ts';
import { isVersionControl, versionControlPurpose } from './versionControls.ts';

/** From the most to the least. */
const ORDER: readonly LandingPurpose[] = ['other', 'test', 'commit', 'read'];

/**
 * The most that any part of a command line does: one edit among reads makes it an edit. Uses the reader that permissions use.
 * Unknown commands are `other`.
 */
export function landingPurpose(command: string): LandingPurpose {
  // a fault of the reader must not let a command through
  return attempt(() => mostOf(command), 'other');
}

function mostOf(command: string): LandingPurpose {
  const { all, unclear } = findCommands(command.replaceAll(PIPE_STATUS, '$?'));
  if (unclear !== undefined) return 'other';
  // `setsProgram` decides about variables, by their names
  const own = all.filter(({ ofVariable }) => !ofVariable);
  const parts = own.map((found) => ({ purpose: purposeOf(found), files: writtenFiles(found.part) }));
  // a test's output may be kept: `npm test | tee out.txt`
  const mayWrite = parts.some(({ purpose }) => purpose === 'test') ? isTestOutput : isScratch;
  const settled = parts.map(({ purpose, files }) => (files.every(mayWrite) ? purpose : 'other'));
  return ORDER.find((purpose) => settled.includes(purpose)) ?? 'read';
}

/** A number, although it looks like a subscript that bash would evaluate. */
const PIPE_STATUS = /\$\{PIPESTATUS\[\d+\]\}/g;

/** The command inside them counts. */
const WRAPPERS = new Set(
  'time nice nohup command builtin env timeout gtimeout stdbuf xargs npx bunx chronic unbuffer uv poetry pipenv npm pnpm yarn bundle bash sh zsh dash find fd fdfind'.split(
    ' ',
  ),
);

function purposeOf({ part, inner }: FoundCommand): LandingPurpose {
  if (setsProgram(part)) return 'other';
  const words = part.words.map(({ text }) => text);
  return purposeOfWords(words, inner.length > 0 && WRAPPERS.has(commandName(words[0] ?? '')));
}

function purposeOfWords([program = '', ...args]: readonly string[], wraps: boolean): LandingPurpose {
  const name = commandName(program);
  if (program === '') return 'read';
  if (name === 'git') return gitPurpose(args);
  if (isVersionControl(name)) return versionControlPurpose(name, args);
  if (isRead(program, args)) return 'read';
  // the lock that a killed git leaves behind blocks every later commit
  if (name === 'rm' && args.every((word) => /^-[rf]+$/.test(word) || GIT_LOCK.test(word))) return 'commit';
  if (wraps && name !== 'find') return 'read';
  // the files it writes count
  if (name === 'tee') return 'read';
  const contained = containedWords(name, args);
  if (contained !== null) return purposeOfWords(contained, false);
  return isTest(program, args) ? 'test' : 'other';
}

const GIT_LOCK = /(?:^|\/)\.git\/(?!.*\.\.)[\w./-]+\.lock$/;

/** Files that it writes: redirects, and the arguments of `tee`. */
function writtenFiles({ words, redirects }: ShellPart): readonly string[] {
  const [program = '', ...args] = words.map(({ text }) => text);
  const teed = commandName(program) === 'tee' ? args.filter((word) => !word.startsWith('-')) : [];
  return [...teed, ...redirects.filter(writesFile).map(({ target }) => target.text)];
}

function writesFile({ operator, target }: ShellRedirect): boolean {
  if (/^(?:<|<<<|<&)$/.test(operator)) return false;
  return !(operator === '>&' && /^(?:\d+|-)$/.test(target.text));
}

/** Output that goes to /dev/null, a log, a file in /tmp, or a message for git. */
function isScratch(file: string): boolean {
  return /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$|\.log$|^\/(?:var\/)?tmp\/[^/]+$|^(?:\$TMPDIR|\$\{TMPDIR[^}]*\})\/[^/]+$|(?:^|\/)\.git\/[A-Z_]*MSG$/.test(
    file,
  );
}

/** Plain text, or a report by its name: `out.txt`, `junit-report.xml`, `results.json`. */
const OUTPUT =
  /(?:^|\/)[^/$`]*\.(?:txt|out|err|tap)$|(?:results?|reports?|output|junit|coverage)[^/$`]*\.(?:json|xml|html|md)$/i;
/** Text files that belong to a project. */
const OF_THE_PROJECT =
  /(?:^|\/)(?:requirements|constraints|cmakelists|licen[cs]e|notice|readme|robots|changelog|todo)[^/]*$/i;

/** Where a test may write its output. Overwriting a source file is an edit. */
const isTestOutput = (file: string): boolean => isScratch(file) || (OUTPUT.test(file) && !OF_THE_PROJECT.test(file));

const ENGINES = new Set(['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose']);
/** Options without a value; the value of all others is the next word, or follows an equals sign. */
const FLAGS =
  /^(?:-[itdTqP]+|--(?:rm|init|detach|interactive|tty|no-tty|no-deps|build|quiet|quiet-pull|privileged|read-only|service-ports|use-aliases|remove-orphans|no-healthcheck|sig-proxy|compatibility|all-resources|dry-run))$/i;
/** These change what runs. */
const OTHER_PROGRAM = /^--(?:entrypoint|privileged)(?:=|$)/;

/** The command that `docker compose run app pytest` runs in its container; null when there is none. */
function containedWords(name: string, args: readonly string[]): readonly string[] | null {
  if (!ENGINES.has(name)) return null;
  const [first = '', ...more] = withoutOptions(args);
  const isCompose = first === 'compose' || name.endsWith('-compose');
  const [action = '', ...words] = first === 'compose' ? withoutOptions(more) : [first, ...more];
  if (!/^(?:run|exec)$/.test(action) || (isCompose ? more : args).some((word) => OTHER_PROGRAM.test(word))) return null;
  const [place, ...command] = withoutOptions(words);
  return place === undefined || command.length === 0 ? null : command;
}

/** The words after all options and their values. */
function withoutOptions(words: readonly string[]): readonly string[] {
  let at = 0;
  while (words[at]?.startsWith('-')) at += FLAGS.test(words[at] ?? '') || words[at]?.includes('=') ? 1 : 2;
  return words.slice(at);
}
