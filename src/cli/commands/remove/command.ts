import { type Command, Option } from 'commander';
import { SETTINGS_SCOPES } from '../init/settingsScope.ts';
import type { RemoveOptions } from './runRemove.ts';

const EXAMPLES = `
Examples:
  $ stopgate remove                                out of .claude/settings.local.json
  $ stopgate remove --all                          out of this folder's and your own settings
  $ stopgate remove --dry-run                      see what it would change

The file goes back to the bytes it had. If somebody edited it since, only the entries that end in
\`# stopgate\` go. What a killed launch left behind is mended; a launch that runs keeps its entries
until it ends, unless --force. stopgate.config.json stays, and so does the folder's trust:
\`stopgate trust --remove\` withdraws it.`;

export function addRemoveCommand(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('remove')
    .description("take Stopgate out of Claude Code's settings again")
    .addOption(new Option('--scope <scope>', 'whose settings (local unless given)').choices(SETTINGS_SCOPES))
    .addOption(new Option('--all', 'all three scopes').conflicts('scope'))
    .option('--force', 'also what launches that still run put there')
    .option('--dry-run', 'show the changes and write nothing')
    .option('--json', 'for scripts')
    .addHelpText('after', EXAMPLES)
    .action(async (options: RemoveOptions) => {
      const { runRemove } = await import('./runRemove.ts');
      setExitCode(await runRemove(options));
    });
}
