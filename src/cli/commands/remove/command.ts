import { type Command, Option } from 'commander';
import { SETTINGS_SCOPES } from '../../../hosts/host.ts';
import { hostOption } from '../init/hostOption.ts';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate remove                                from the settings of this folder
  $ stopgate remove --host codex --scope user      from Codex's own settings
  $ stopgate remove --all                          from this folder's and your own settings
  $ stopgate remove --dry-run                      show what it would change

Restores the file byte for byte. If the file was edited since, removes only the entries that end in
\`# stopgate\`. Also removes what a killed launch left behind; a running launch keeps its entries until
it ends (see --force). Keeps stopgate.config.json and the folder's trust; \`stopgate trust --remove\`
revokes that.`;

export function addRemoveCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('remove')
    .description("remove Stopgate from agents' settings")
    .addOption(hostOption('default: wherever its entries are'))
    .addOption(new Option('--scope <scope>', 'which settings file (default: local)').choices(SETTINGS_SCOPES))
    .addOption(new Option('--all', 'all three scopes').conflicts('scope'))
    .option('--force', 'also remove the entries of running launches')
    .option('--dry-run', 'show the changes without writing them')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runRemove.ts')).runRemove));
}
