import type { Command } from 'commander';

/**
 * Who may use a command. `person`: it changes what other processes and people rely on, so a shell that belongs to an agent is
 * refused. `lease`: an agent may, for a claim of its own; a completion passes the definition of done first. `anyone`: it only
 * reads, or does nothing that an agent could not do with its own tools.
 */
export type VerbUse = 'person' | 'lease' | 'anyone';

/** Every command by its full name; a test fails when one is missing. */
export const VERBS: Readonly<Record<string, VerbUse>> = {
  demo: 'anyone',
  // both decide what stands between an agent and its stop
  init: 'person',
  remove: 'person',
  trust: 'person',
  hook: 'anyone',
  'hooks list': 'anyone',
  'hooks explain': 'anyone',
  'hooks test': 'anyone',
  // an agent that an agent starts is bound by the same rules
  launch: 'anyone',
  // in its own files, with what was there kept
  restore: 'anyone',
  // more work is no harm that a person could not see: `task list` shows it, and nothing is decided by it
  'task add': 'anyone',
  'task list': 'anyone',
  'task show': 'anyone',
  'task claim': 'lease',
  'task complete': 'lease',
  'task fail': 'lease',
  'task release': 'lease',
  'task cancel': 'person',
  'task redrive': 'person',
  'task hold': 'person',
  'task unhold': 'person',
  'task pause': 'person',
  'task resume': 'person',
  // a worker chooses its own name: it could take every task
  'worker run': 'person',
  'worker list': 'anyone',
  'worker wait': 'anyone',
  'fleet up': 'person',
  'fleet status': 'anyone',
  'fleet down': 'person',
  'account list': 'anyone',
  'account pause': 'person',
  'account resume': 'person',
  'store info': 'anyone',
  'store move': 'person',
  simulate: 'anyone',
  status: 'anyone',
  list: 'anyone',
  ask: 'anyone',
};

/** The name of a command with the groups it is in: `task cancel`. */
export function verbOf(command: Command): string {
  const above = command.parent;
  return above === null ? '' : `${verbOf(above)} ${command.name()}`.trim();
}
