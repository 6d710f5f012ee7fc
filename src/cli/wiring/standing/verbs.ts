import type { Command } from 'commander';

/**
 * Who may use a command. `person`: not agents, because it changes what other processes and people rely on. `lease`: agents for
 * their own claim; a completion must pass the definition of done. `anyone`: it only reads, or does nothing that an agent could
 * not do with its own tools.
 */
export type VerbUse = 'person' | 'lease' | 'anyone';

/** Every command by its full name; a test fails when one is missing. */
export const VERBS: Readonly<Record<string, VerbUse>> = {
  help: 'anyone',
  demo: 'anyone',
  // these decide when an agent may stop
  init: 'person',
  remove: 'person',
  trust: 'person',
  waive: 'person',
  baseline: 'person',
  hosts: 'anyone',
  hook: 'anyone',
  'hooks list': 'anyone',
  'hooks explain': 'anyone',
  'hooks test': 'anyone',
  // the same rules apply to an agent that an agent starts
  launch: 'anyone',
  // changes its own files and keeps a copy
  restore: 'anyone',
  // harmless and visible in `task list`
  'task add': 'anyone',
  'task list': 'anyone',
  'task show': 'anyone',
  'task logs': 'anyone',
  'task claim': 'lease',
  'task complete': 'lease',
  'task fail': 'lease',
  'task release': 'lease',
  // its budgets and its place
  'task edit': 'person',
  'task cancel': 'person',
  'task redrive': 'person',
  'task hold': 'person',
  'task unhold': 'person',
  'task pause': 'person',
  // limits, recurring tasks and what is removed concern everyone who uses the store
  'task limit': 'person',
  'task schedules list': 'anyone',
  'task schedules pause': 'person',
  'task schedules resume': 'person',
  'task schedules remove': 'person',
  'task resume': 'person',
  'review list': 'anyone',
  'review show': 'anyone',
  // runs a program of the person
  'review open': 'person',
  // these decide what gets onto a branch
  'review accept': 'person',
  'review reject': 'person',
  'review land': 'person',
  'review limit': 'person',
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
  'store prune': 'person',
  'store policy': 'person',
  'store lease': 'person',
  simulate: 'anyone',
  status: 'anyone',
  why: 'anyone',
  'receipt show': 'anyone',
  'receipt verify': 'anyone',
  'receipt key': 'anyone',
  report: 'anyone',
  list: 'anyone',
  ask: 'anyone',
};

/** The name of a command with the groups it is in: `task cancel`. */
export function verbOf(command: Command): string {
  const above = command.parent;
  return above === null ? '' : `${verbOf(above)} ${command.name()}`.trim();
}
