import type { Command } from 'commander';
import { UserError } from '../system/userError.ts';

const NAMES = /<(?:name|key)>/;

/** `--queue "$QUEUE"` without a value would wait for a queue that no other command means. */
export function refuseEmptyNames(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (NAMES.test(option.flags) && typeof value === 'string' && value.trim() === '')
      throw new UserError(`${option.long} must not be empty.`);
  }
}
