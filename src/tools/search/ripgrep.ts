import { existsSync } from 'node:fs';
import { formatDuration } from '../../system/formatDuration.ts';
import type { ToolContext } from '../toolContext.ts';

/** Where ripgrep is, or null: its package has a binary for most platforms, but not for all. */
export type FindRipgrep = () => Promise<string | null>;

export const findRipgrep: FindRipgrep = async () => {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return existsSync(rgPath) ? rgPath : null;
  } catch {
    return null;
  }
};

export type RipgrepEnd =
  | { readonly type: 'searched'; readonly text: string; readonly notes: readonly string[] }
  | { readonly type: 'failed'; readonly message: string; readonly interrupted?: boolean };

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** What every search has: hidden files too, but no repository's insides; .gitignore also without a repository. */
const BASE = ['--no-config', '--hidden', '--glob', '!.git', '--no-require-git', '--color', 'never', '--null'];

interface Search {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

export async function runRipgrep({ file, args, cwd }: Search, context: ToolContext): Promise<RipgrepEnd> {
  const { processes, env, signal } = context;
  const bounds = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
  const end = await processes.start({ file, args: [...BASE, ...args], cwd, env, signal, ...bounds }).ended;
  if (end.type === 'notStarted') return { type: 'failed', message: end.error };
  if (end.type === 'aborted') return { type: 'failed', message: 'The search was interrupted.', interrupted: true };
  const complaint = end.stderr.trim().replace(/^rg: /gm, '');
  // 0 is found, 1 is nothing found, 2 is an error; with output it is an error in some of the files
  const notes: string[] = [];
  if (end.type === 'timedOut')
    notes.push(
      `The search took more than ${formatDuration(TIMEOUT_MS)} and was ended: this is only a part. Narrow it down.`,
    );
  else if (end.type === 'signalled') notes.push(`The search was ended by ${end.signal}: this is only a part.`);
  else if (end.code > 1 && end.stdout === '') return { type: 'failed', message: `The search failed: ${complaint}` };
  else if (end.code > 1) notes.push(`Some files could not be searched: ${complaint.slice(0, 500)}`);
  if (end.droppedBytes > 0)
    notes.push('There was too much output to keep: this is only a part. Narrow the search down.');
  return { type: 'searched', text: end.stdout, notes };
}
