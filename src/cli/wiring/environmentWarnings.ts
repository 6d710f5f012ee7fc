import { budgetEndWarnings } from '../../budget/budgetEnd.ts';
import { WINDOW_VARIABLES } from '../../models/providers/contextWindow.ts';

/** Variables that hold a number and are read where nobody could be told that they do not. */
const NUMBERS = [
  'STOPGATE_STREAM_IDLE_MS',
  'API_TIMEOUT_MS',
  'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
  ...WINDOW_VARIABLES,
  'BASH_DEFAULT_TIMEOUT_MS',
  'BASH_MAX_TIMEOUT_MS',
  'BASH_MAX_OUTPUT_LENGTH',
];

/** A sentence for each variable that has no effect because it does not hold what it should. */
export function environmentWarnings(env: Readonly<Record<string, string>>): string[] {
  const numbers = NUMBERS.filter((name) => env[name] && !/^[1-9]\d{0,11}$/.test(env[name])).map(
    (name) => `${name} is '${env[name]}', which is not a whole number above 0; it is ignored.`,
  );
  return [...numbers, ...budgetEndWarnings(env)];
}
