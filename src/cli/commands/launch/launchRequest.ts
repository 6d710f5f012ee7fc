import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { defaultGraceSeconds } from '../../../budget/launchPlan.ts';
import { agentNamed } from '../../../hosts/all.ts';
import type { LaunchRequest } from '../../../launch/launchRequest.ts';
import { UserError } from '../../../system/userError.ts';
import { durationMs } from '../task/readFlags.ts';
import type { Flags } from '../task/taskOptions.ts';

const OFF = {
  worktree: false,
  interactive: false,
  trustProject: false,
  requireProof: false,
  requireSandbox: false,
  quiet: false,
  json: false,
};

type Limits = Pick<LaunchRequest, 'agent' | 'profile' | 'checks' | 'tokenBudget' | 'maxBudgetUsd'>;

export interface LaunchOptions extends Limits, Flags<'grace' | 'report', keyof typeof OFF> {
  readonly timeBudget: string;
  readonly commit: string;
}

const LONGEST_SECONDS = 7 * 24 * 3600;

export function launchRequest(words: readonly string[], options: LaunchOptions): LaunchRequest {
  const { timeBudget, grace: graceText, report, commit, ...rest } = options;
  const budgetSeconds = duration('--time-budget', timeBudget);
  if (words.length === 0 && !options.interactive && agentNamed(options.agent).needsPrompt)
    throw new UserError(
      'No prompt: put it after --, as in `stopgate launch --time-budget 20m -- "fix the tests"`, or use --interactive.',
    );
  if (options.interactive && !(process.stdin.isTTY && process.stdout.isTTY))
    throw new UserError('--interactive needs a terminal on stdin and stdout; remove it for a headless run.');
  if (commit !== 'wip' && commit !== 'branch') {
    throw new UserError(`--commit must be wip (a private ref) or branch, got "${commit}".`);
  }
  if (options.requireProof && !options.checks) {
    throw new UserError('--require-proof and --no-checks cannot be combined: without checks there is no proof.');
  }
  return {
    ...OFF,
    ...rest,
    budgetSeconds,
    graceSeconds: graceText === undefined ? defaultGraceSeconds(budgetSeconds) : grace(graceText),
    words,
    commit,
    ...(report !== undefined && { reportFile: writable(report) }),
  };
}

/** Checked now instead of after an hour of work. */
function writable(file: string): string {
  try {
    accessSync(path.dirname(path.resolve(file)), constants.W_OK);
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    return file;
  } catch (error) {
    throw new UserError(
      `--report ${file} cannot be written (${(error as NodeJS.ErrnoException).code}); use a file in a folder that exists and is writable.`,
    );
  }
}

function duration(flag: string, text: string): number {
  const seconds = durationMs(flag, text) / 1000;
  if (seconds > LONGEST_SECONDS) throw new UserError(`${flag} must be at most a week, got "${text}".`);
  return seconds;
}

/** Zero is allowed. */
const grace = (text: string) => (/^0+[smh]?$/.test(text.trim()) ? 0 : duration('--grace', text));
