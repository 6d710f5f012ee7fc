import type { Command } from 'commander';
import { DEFAULT_FLAGS, type PromptFlags } from '../../wiring/promptFlags.ts';

/** Which settings count: the same flags as a session has, so that what is shown is what would happen. */
export function addSettingsOptions(command: Command): Command {
  return command
    .option('--settings <file-or-json>', 'more settings, above all but managed ones')
    .option('--setting-sources <list>', 'which files to read: user,project,local')
    .option('--trust-project', "take the project's own hooks as trusted, this once");
}

/**
 * A session's flags from a command's. The program itself knows these options too and takes them wherever they stand,
 * so they are looked for there as well.
 */
export function settingsFlags(command: Command): PromptFlags {
  const { settings, settingSources, trustProject, model } = command.optsWithGlobals<Partial<PromptFlags>>();
  return {
    ...DEFAULT_FLAGS,
    ...(settings === undefined ? {} : { settings }),
    ...(settingSources === undefined ? {} : { settingSources }),
    ...(model === undefined ? {} : { model }),
    trustProject: trustProject === true,
  };
}
