import { spawnSync } from 'node:child_process';
import { terminalText } from '../../../system/terminalText.ts';
import { UserError } from '../../../system/userError.ts';
import type { World } from '../../../system/world.ts';

type Env = Pick<World, 'env' | 'cwd'>;

/** A program that does not read all of its input has run: its exit code counts. */
const whyNotRun = (error: NodeJS.ErrnoException | undefined): string | null =>
  error === undefined || error.code === 'EPIPE' ? null : error.message;

/** Shows a long text with the person's pager; less, if they name none. */
export async function runPager(text: string, { env, cwd }: Env): Promise<number> {
  const pager = env.GIT_PAGER || env.PAGER || 'less';
  // quits if it fits on the screen, shows colors
  const withDefaults = { LESS: 'FRX', ...env };
  const input = terminalText(text);
  const ran = spawnSync('/bin/sh', ['-c', pager], {
    cwd,
    env: withDefaults,
    input,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  // without a pager the text itself
  if (whyNotRun(ran.error) !== null || ran.status === 127) process.stdout.write(input);
  return 0;
}

/** Opens a folder in the person's editor; false when they name none. */
export function runEditor(folder: string, { env, cwd }: Env): boolean {
  const editor = env.VISUAL || env.EDITOR;
  if (!editor) return false;
  const ran = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', folder], { cwd, env, stdio: 'inherit' });
  if (ran.error === undefined && ran.status === 0) return true;
  throw new UserError(`${editor} could not open ${folder}: ${ran.error?.message ?? `exit code ${ran.status}`}.`);
}

export type CommandEnd =
  | { readonly type: 'ran'; readonly stdout: string }
  | { readonly type: 'failed'; readonly reason: string };

const LONGEST_MS = 5 * 60_000;

/** Runs a command line of the person, with facts in its environment and on its stdin. */
export function runPersonsCommand(line: string, { env, cwd, input }: Env & { readonly input: string }): CommandEnd {
  const stdio = ['pipe', 'pipe', 'inherit'] as const;
  const ran = spawnSync('/bin/sh', ['-c', line], {
    cwd,
    env,
    input,
    stdio: [...stdio],
    encoding: 'utf8',
    timeout: LONGEST_MS,
  });
  const problem = whyNotRun(ran.error);
  if (problem !== null) return { type: 'failed', reason: problem };
  return ran.status === 0 ? { type: 'ran', stdout: ran.stdout } : { type: 'failed', reason: `exit code ${ran.status}` };
}
