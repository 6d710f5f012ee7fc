import { statSync } from 'node:fs';
import type { ChildSpec } from './childStarter.ts';
import { ownValue } from './ownValue.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such executable',
  EACCES: 'it is not executable, or its directory may not be entered',
  E2BIG: 'its arguments are too long',
  EAGAIN: 'the system allows no more processes',
  EMFILE: 'too many files are open',
};

/** A failure to start a command, as a sentence. */
export function whyNotStarted(error: NodeJS.ErrnoException, { file, cwd }: ChildSpec): string {
  return `Could not start ${file}: ${reason(error, cwd)}.`;
}

function reason(error: NodeJS.ErrnoException, cwd: string): string {
  // a missing directory is reported as if the executable were missing
  const directory = statSync(cwd, { throwIfNoEntry: false });
  if (!directory) return `the directory ${cwd} does not exist`;
  if (!directory.isDirectory()) return `${cwd} is not a directory`;
  return ownValue(REASONS, error.code) ?? error.message;
}
