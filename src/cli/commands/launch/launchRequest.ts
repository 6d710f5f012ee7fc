import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { defaultGraceSeconds } from '../../../budget/launchPlan.ts';
import { agentNamed } from '../../../hosts/all.ts';
import type { LaunchRequest } from '../../../launch/launchRequest.ts';
import { UserError } from '../../../system/userError.ts';
import { durationMs } from '../task/readFlags.ts';

export interface LaunchOptions {
  readonly timeBudget: string;
  readonly grace?: string;
  readonly agent: string;
  readonly worktree?: boolean;
  readonly interactive?: boolean;
  readonly commit: string;
  readonly profile: string;
  readonly tokenBudget?: number;
  readonly maxBudgetUsd?: number;
  readonly checks: boolean;
  readonly trustProject?: boolean;
  readonly requireProof?: boolean;
  readonly requireSandbox?: boolean;
  readonly report?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const LONGEST_SECONDS = 7 * 24 * 3600;

export function launchRequest(words: readonly string[], options: LaunchOptions): LaunchRequest {
  const budgetSeconds = duration('--time-budget', options.timeBudget);
  const { tokenBudget, maxBudgetUsd, report } = options;
  const interactive = options.interactive === true;
  if (words.length === 0 && !interactive && agentNamed(options.agent).needsPrompt)
    throw new UserError(
      'No prompt: put it after --, as in `stopgate launch --time-budget 20m -- "fix the tests"`, or use --interactive.',
    );
  if (interactive && !(process.stdin.isTTY && process.stdout.isTTY))
    throw new UserError('--interactive needs a terminal on stdin and stdout; remove it for a headless run.');
  if (options.commit !== 'wip' && options.commit !== 'branch') {
    throw new UserError(`--commit must be wip (a private ref) or branch, got "${options.commit}".`);
  }
  if (options.requireProof && !options.checks) {
    throw new UserError('--require-proof and --no-checks cannot be combined: without checks there is no proof.');
  }
  return {
    budgetSeconds,
    graceSeconds: options.grace === undefined ? defaultGraceSeconds(budgetSeconds) : grace(options.grace),
    agent: options.agent,
    words,
    worktree: options.worktree === true,
    interactive,
    commit: options.commit,
    profile: options.profile,
    ...(tokenBudget !== undefined && { tokenBudget }),
    ...(maxBudgetUsd !== undefined && { maxBudgetUsd }),
    checks: options.checks,
    trustProject: options.trustProject === true,
    requireProof: options.requireProof === true,
    requireSandbox: options.requireSandbox === true,
    ...(report !== undefined && { reportFile: writable(report) }),
    quiet: options.quiet === true,
    json: options.json === true,
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
