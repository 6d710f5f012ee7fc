import { budgetEndWarnings } from '../../budget/budgetEnd.ts';
import { WINDOW_VARIABLES } from '../../models/providers/contextWindow.ts';
import { maxRetries } from '../../models/retries.ts';
import type { Environment } from '../../system/environment.ts';

/** Reads the first set variable; an invalid value gets a warning. */
export function numberReader(env: Environment, warnings: string[]) {
  return (names: readonly string[], { valid, must, usual }: { valid: RegExp; must: string; usual: number }) => {
    const name = names.find((variable) => env[variable]?.trim());
    if (name === undefined) return usual;
    const value = env[name]?.trim() ?? '';
    if (valid.test(value)) return Number(value);
    warnings.push(`${name} must be ${must}, got "${value}"; using ${usual}.`);
    return usual;
  };
}

const WAIT_VARIABLES = ['STOPGATE_BG_WAIT_CEILING_MS', 'CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS'];
const CAP_VARIABLES = ['STOPGATE_STOP_HOOK_BLOCK_CAP', 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'];
const SUBAGENT_VARIABLES = ['CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS'];
/** The longest possible timer. */
export const LONGEST_MS = 2 ** 31 - 1;

/** Variables that must be a number and are read where no warning can be printed. */
const NUMBERS = [
  'STOPGATE_STREAM_IDLE_MS',
  'API_TIMEOUT_MS',
  'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
  ...WINDOW_VARIABLES,
  'BASH_DEFAULT_TIMEOUT_MS',
  'BASH_MAX_TIMEOUT_MS',
  'BASH_MAX_OUTPUT_LENGTH',
];

/** The limits that variables set, and a warning for each variable without a valid value. */
export function sessionLimits(env: Readonly<Record<string, string>>) {
  const warnings: string[] = [];
  const read = numberReader(env, warnings);
  const retries = maxRetries(env);
  if (retries.warning !== undefined) warnings.push(retries.warning);
  const count = { valid: /^\d{1,6}$/, must: 'a whole number' };
  const stopHookBlockCap = read(CAP_VARIABLES, { ...count, usual: 8 });
  const stopHookStallCap = read(['STOPGATE_STOP_HOOK_STALL_CAP'], { ...count, usual: 20 });
  const stopHookDoneCap = read(['STOPGATE_STOP_HOOK_DONE_CAP'], { ...count, usual: 8 });
  const stopHookTurnCap = read(['STOPGATE_STOP_HOOK_TURN_CAP'], { ...count, usual: 100 });
  const milliseconds = { valid: /^\d{1,10}$/, must: 'a whole number of milliseconds', usual: 600_000 };
  const waitMs = read(WAIT_VARIABLES, milliseconds);
  const subagents = { valid: /^[1-9]\d{0,3}$/, must: 'a whole number above 0', usual: 20 };
  const maxConcurrentSubagents = read(SUBAGENT_VARIABLES, subagents);
  const invalid = NUMBERS.filter((name) => env[name] && !/^[1-9]\d{0,11}$/.test(env[name]));
  return {
    config: {
      maxRetries: retries.maxRetries,
      ...{ stopHookBlockCap, stopHookStallCap, stopHookDoneCap, stopHookTurnCap },
      maxConcurrentSubagents,
    },
    backgroundWaitMs: Math.min(waitMs, LONGEST_MS),
    warnings: [
      ...warnings,
      ...invalid.map((name) => `${name} must be a whole number above 0, got "${env[name]}"; it is ignored.`),
      ...budgetEndWarnings(env),
    ],
  };
}
