import { type Command, Option } from 'commander';
import { SETTINGS_SCOPES } from '../../../hosts/host.ts';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';
import { hostOption } from './hostOption.ts';

const EXAMPLES = `
Examples:
  $ stopgate init                                  ask what to enable in this folder
  $ stopgate init --host codex,gemini              in the settings of these agents
  $ stopgate init --dry-run                        show what it would write
  $ stopgate init --yes --no-landing               without the questions
  $ stopgate init --yes --scope user --no-checks   the countdown, in every folder
  $ stopgate remove                                remove the hooks again, byte for byte

Scopes (with the files of Claude Code; stopgate hosts lists those of others):
  local     .claude/settings.local.json: you, in this folder
  project   .claude/settings.json: everyone who works in this folder
  user      ~/.claude/settings.json: you, everywhere

Existing entries, their order and the indentation stay. The commands are absolute paths, because
hooks run in the agent's current folder; if Stopgate's own folder moves, run init again.`;

export function addInitCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('init')
    .description("add Stopgate to an agent's settings: checks before a stop, countdown, landing")
    .addOption(hostOption('default: those on this machine'))
    .addOption(new Option('--scope <scope>', 'which settings file').choices(SETTINGS_SCOPES).default('local'))
    .option('--checks', 'run the checks of stopgate.config.json before the agent may stop')
    .option('--no-checks')
    .option('--countdown', 'show the agent the time left after every tool call')
    .option('--no-countdown')
    .option('--landing', 'deny tool calls that need more time than is left')
    .option('--no-landing')
    .option('-y, --yes', 'do not ask: enable everything that is not disabled')
    .option('--dry-run', 'show the changes without writing them')
    .option('--command <path>', 'the stopgate program that hooks call (default: this one)')
    .option('--verbose', 'also show the events and the notes of each agent, where there are several')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runInit.ts')).runInit));
}
