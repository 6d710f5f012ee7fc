import type { Command } from 'commander';
import { UserError } from '../../system/userError.ts';

/** Options whose text names something. An empty one is a variable that a script did not set. */
const NAMES = new Set('queue type types key concurrencyKey account slot worker name hold repo base into'.split(' '));

/** Throws when an option or argument of a command names nothing: the worker of no queue would wait forever. */
export function refuseEmptyNames(command: Command): void {
  const { options, registeredArguments, processedArgs } = command;
  const given = command.optsWithGlobals();
  const isEmpty = (value: unknown) => typeof value === 'string' && value.trim() === '';
  const option = options.find((one) => NAMES.has(one.attributeName()) && isEmpty(given[one.attributeName()]));
  if (option) throw new UserError(`${option.long} must not be empty.`);
  const queue = registeredArguments.findIndex((one) => one.name() === 'queue');
  if (isEmpty(processedArgs[queue]))
    throw new UserError('The queue has no name; `stopgate task list` shows the queues of tasks.');
}
