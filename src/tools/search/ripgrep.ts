import { existsSync } from 'node:fs';
import { formatDuration } from '../../system/formatDuration.ts';
import type { ProcessSpec } from '../../system/processes.ts';
import type { ToolContext } from '../toolContext.ts';

/** The path of ripgrep, or null: its package does not support all platforms. */
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

/** For every search: includes hidden files, excludes .git, and applies .gitignore even without a repository. */
const BASE = ['--no-config', '--hidden', '--glob', '!.git', '--no-require-git', '--color', 'never', '--null'];

const REJECTED = 'Search failed — ripgrep rejected the pattern, glob, or file type without searching:';

type Search = Pick<ProcessSpec, 'file' | 'args' | 'cwd'>;

export async function runRipgrep({ file, args, cwd }: Search, context: ToolContext): Promise<RipgrepEnd> {
  const { processes, env, signal } = context;
  const bounds = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
  const end = await processes.start({ file, args: [...BASE, ...args], cwd, env, signal, ...bounds }).ended;
  if (end.type === 'notStarted') return { type: 'failed', message: end.error };
  if (end.type === 'aborted') return { type: 'failed', message: 'The search was interrupted.', interrupted: true };
  const complaint = end.stderr.trim();
  // 0 is found, 1 is not found, 2 is an error; with output it is an error in some files
  const notes: string[] = [];
  if (end.type === 'timedOut')
    notes.push(
      `The search took more than ${formatDuration(TIMEOUT_MS)} and was stopped: the result is incomplete. Narrow the search.`,
    );
  else if (end.type === 'signalled') notes.push(`The search was killed by ${end.signal}: the result is incomplete.`);
  else if (end.code > 1 && end.stdout === '') return { type: 'failed', message: `${REJECTED}\n${complaint}` };
  else if (end.code > 1)
    notes.push(`Some files could not be searched: ${complaint.replace(/^rg: /gm, '').slice(0, 500)}`);
  if (end.droppedBytes > 0) notes.push('The output was too long: the result is incomplete. Narrow the search.');
  return { type: 'searched', text: end.stdout, notes };
}
