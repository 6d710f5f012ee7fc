import { findConfig } from '../../stop/checks/findConfig.ts';
import { type TrustPlace, whyDefinitionUntrusted } from '../../stop/checks/folderTrust.ts';
import { readConfig } from '../../stop/checks/readConfig.ts';
import { isSwitchedOff } from '../../stop/situation.ts';
import { shellWord } from '../../system/shellWords.ts';
import type { World } from '../../system/world.ts';

const RESULT = 'until then, agents stop unchecked and their work is not verified';

/**
 * For the person who starts workers where the definition of done may not run: otherwise only the log of each attempt has it, and all
 * work arrives without a proof. Null where there is none, or where it may run.
 */
export async function whyUnchecked(world: Pick<World, 'cwd' | 'clock'> & TrustPlace): Promise<string | null> {
  const { cwd } = world;
  if (isSwitchedOff(world)) return null;
  const config = await readConfig(cwd);
  if (config.type === 'broken') {
    return `${config.message.replace(/; no check was run\.$/, '')}: fix it, then run \`stopgate trust ${shellWord(cwd)}\`; ${RESULT}.`;
  }
  const untrusted = whyDefinitionUntrusted(config, cwd, world);
  if (untrusted === null) return null;
  return `The checks of ${findConfig(cwd) ?? cwd} may not run: ${untrusted.reason}; ${RESULT}.`;
}
