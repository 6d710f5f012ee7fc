import { type FoundCommand, findCommands } from '../../permissions/shell/findCommands.ts';
import type { ShellPart, ShellRedirect } from '../../permissions/shell/shellTypes.ts';
import { commandName } from '../../permissions/shell/unwrapCommand.ts';
import { containedWords } from './containers.ts';
import { gitPurpose } from './gitPurpose.ts';
import { isScratch, isTestOutput } from './keptOutput.ts';
import { setsProgram } from './programVariables.ts';
import { isRead } from './readCommands.ts';
import { isTest } from './testCommands.ts';
import { isVersionControl, versionControlPurpose } from './versionControls.ts';

/** What a shell command is for, as far as a landing agent may still run it. */
export type LandingPurpose = 'commit' | 'test' | 'read' | 'other';

/** From the most to the least. */
const ORDER: readonly LandingPurpose[] = ['other', 'test', 'commit', 'read'];

/**
 * The most that any part of a command line does: one edit among reads makes it an edit. The reader is the one that
 * permissions use, so here-documents, substitutions and wrappers are taken apart the same way. Cautious on purpose: what
 * it does not know is `other`.
 */
export function landingPurpose(command: string): LandingPurpose {
  try {
    return mostOf(command);
  } catch {
    // a fault of the reader must not let a command through: what it does not know is `other`
    return 'other';
  }
}

function mostOf(command: string): LandingPurpose {
  const { all, unclear } = findCommands(command.replaceAll(PIPE_STATUS, '$?'));
  if (unclear !== undefined) return 'other';
  // which variables may name a program is decided by their names
  const own = all.filter(({ ofVariable }) => !ofVariable);
  const parts = own.map((found) => ({ purpose: purposeOf(found), files: writtenFiles(found.part) }));
  // a test's output may be kept: `npm test | tee out.txt`
  const mayWrite = parts.some(({ purpose }) => purpose === 'test') ? isTestOutput : isScratch;
  const settled = parts.map(({ purpose, files }) => (files.every(mayWrite) ? purpose : 'other'));
  return ORDER.find((purpose) => settled.includes(purpose)) ?? 'read';
}

/** A number, though it looks like a subscript that bash would evaluate. */
const PIPE_STATUS = /\$\{PIPESTATUS\[\d+\]\}/g;

/** Say how, not what: the command inside them counts. */
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
  // what a git that was ended leaves behind keeps every later one from committing
  if (name === 'rm' && args.every((word) => /^-[rf]+$/.test(word) || GIT_LOCK.test(word))) return 'commit';
  if (wraps && name !== 'find') return 'read';
  // its files count
  if (name === 'tee') return 'read';
  const contained = containedWords(name, args);
  if (contained !== null) return purposeOfWords(contained, false);
  return isTest(program, args) ? 'test' : 'other';
}

const GIT_LOCK = /(?:^|\/)\.git\/(?!.*\.\.)[\w./-]+\.lock$/;

/** Files that it writes by itself: redirects, and the words of `tee`. */
function writtenFiles({ words, redirects }: ShellPart): readonly string[] {
  const [program = '', ...args] = words.map(({ text }) => text);
  const teed = commandName(program) === 'tee' ? args.filter((word) => !word.startsWith('-')) : [];
  return [...teed, ...redirects.filter(writesFile).map(({ target }) => target.text)];
}

function writesFile({ operator, target }: ShellRedirect): boolean {
  if (/^(?:<|<<<|<&)$/.test(operator)) return false;
  return !(operator === '>&' && /^(?:\d+|-)$/.test(target.text));
}
