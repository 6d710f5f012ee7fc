import { type FoundCommand, findCommands } from '../../session/permissions/findCommands.ts';
import type { ShellPart, ShellRedirect } from '../../session/permissions/shellTypes.ts';
import { commandName } from '../../session/permissions/unwrapCommand.ts';
import { gitPurpose } from './gitPurpose.ts';
import { isRead } from './readCommands.ts';
import { isTest } from './testCommands.ts';

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
  const purposes = all.map(purposeOf);
  // a test's output may be kept in a file of any name: `npm test | tee out.txt`
  const settled = all.map((found, at) => {
    const keepsTestOutput = nameOf(found.part) === 'tee' && purposes[at - 1] === 'test';
    return keepsTestOutput ? 'read' : purposes[at];
  });
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
  const name = nameOf(part);
  const purpose = purposeOfWords(part, inner.length > 0 && WRAPPERS.has(name));
  const writes = part.redirects.some(writesFile);
  return writes && purpose !== 'test' ? 'other' : purpose;
}

function purposeOfWords({ words }: ShellPart, wraps: boolean): LandingPurpose {
  const [program = '', ...args] = words.map(({ text }) => text);
  const name = commandName(program);
  if (program === '') return 'read';
  if (name === 'git') return gitPurpose(args);
  if (isRead(program, args)) return 'read';
  // what a git that was ended leaves behind keeps every later one from committing
  if (name === 'rm' && args.every((word) => word === '-f' || GIT_LOCK.test(word))) return 'commit';
  if (wraps && name !== 'find') return 'read';
  if (name === 'tee') return args.every((word) => word.startsWith('-') || isScratch(word)) ? 'read' : 'other';
  return isTest(program, args) ? 'test' : 'other';
}

const GIT_LOCK = /(?:^|\/)\.git\/[\w./-]+\.lock$/;

const nameOf = ({ words }: ShellPart) => commandName(words[0]?.text ?? '');

function writesFile({ operator, target }: ShellRedirect): boolean {
  if (/^(?:<|<<<|<&)$/.test(operator)) return false;
  return !(operator === '>&' && /^(?:\d+|-)$/.test(target.text)) && !isScratch(target.text);
}

/** Output that goes nowhere, into a log, into a file of its own in /tmp, or into a message for git. */
function isScratch(file: string): boolean {
  return /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$|\.log$|^\/(?:var\/)?tmp\/[^/]+$|^(?:\$TMPDIR|\$\{TMPDIR[^}]*\})\/[^/]+$|(?:^|\/)\.git\/[A-Z_]*MSG$/.test(
    file,
  );
}
