import { type Command, Option } from 'commander';
import type { InitOptions } from './runInit.ts';
import { SETTINGS_SCOPES } from './settingsScope.ts';

const EXAMPLES = `
Examples:
  $ stopgate init                                  asks what to switch on in this folder
  $ stopgate init --dry-run                        see what it would write
  $ stopgate init --yes --no-landing               without the questions
  $ stopgate init --yes --scope user --no-checks   the countdown, in every folder
  $ stopgate remove                                takes it all out again, to the byte

Scopes:
  local     .claude/settings.local.json: you, in this folder
  project   .claude/settings.json: everybody who works in this folder
  user      ~/.claude/settings.json: you, everywhere

Entries that are there stay, with comments, order and indent. The commands are absolute paths, since
hooks run in whatever folder the agent is in; when Stopgate's own folder moved, run init again.`;

export function addInitCommand(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('init')
    .description("wire Stopgate into Claude Code's settings: checks before a stop, countdown, landing")
    .addOption(new Option('--scope <scope>', 'whose settings').choices(SETTINGS_SCOPES).default('local'))
    .option('--checks', 'run the checks of stopgate.config.json before the agent may stop')
    .option('--no-checks')
    .option('--countdown', 'tell the agent after every tool call how much time is left')
    .option('--no-countdown')
    .option('--landing', 'refuse tool calls that need more time than is left')
    .option('--no-landing')
    .option('-y, --yes', 'do not ask: all on that is not switched off')
    .option('--dry-run', 'show the changes and write nothing')
    .option('--command <path>', 'the stopgate that hooks call, instead of this one')
    .option('--json', 'for scripts')
    .addHelpText('after', EXAMPLES)
    .action(async (options: InitOptions) => {
      const { runInit } = await import('./runInit.ts');
      setExitCode(await runInit(options));
    });
}
