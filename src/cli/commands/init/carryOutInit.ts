import { hookEntries } from '../../../hosts/claudeCode/entries.ts';
import { holdSettings, type SettingsChange } from '../../../hosts/claudeCode/settings/holdSettings.ts';
import { trustStore } from '../../../session/trust/trustStore.ts';
import { wallNow } from '../../../system/clock.ts';
import { UserError } from '../../../system/userError.ts';
import type { World } from '../../../system/world.ts';
import type { InitChoice } from './chooseInit.ts';
import { CONFIG_NAME, configText, writeConfig } from './configFile.ts';
import type { InitFacts } from './gatherInit.ts';
import { scopeFolder } from './settingsFile.ts';

type ConfigState = 'written' | 'there' | 'above' | 'left' | 'unknown' | 'none';

export interface InitDone {
  readonly settings: SettingsChange;
  readonly config: ConfigState;
  readonly trust: 'recorded' | 'already' | 'left' | 'none';
}

/** Settings first: when they cannot be written, nothing else is. */
export async function carryOutInit(
  facts: InitFacts,
  choice: InitChoice,
  { world, dryRun }: { readonly world: World; readonly dryRun: boolean },
): Promise<InitDone> {
  const entries = hookEntries(choice.features, facts.paths);
  const held = await holdSettings(
    { file: facts.file, within: scopeFolder(facts.scope, world), kind: 'init', entries, dryRun },
    world,
  );
  if (held.type === 'refused') throw new UserError(held.reason, 1);
  return {
    settings: held,
    config: await config(facts, choice, dryRun),
    trust: await trust(facts, choice, { world, dryRun }),
  };
}

async function config({ folder }: InitFacts, { features, checks }: InitChoice, dryRun: boolean): Promise<ConfigState> {
  if (!folder || !features.includes('checks')) return 'none';
  if (folder.config !== 'none') return folder.config === 'here' ? 'there' : 'above';
  if (folder.proposed.length === 0) return 'unknown';
  if (checks.length === 0) return 'left';
  if (dryRun) return 'written';
  try {
    return (await writeConfig(folder.path, configText(checks))) ? 'written' : 'there';
  } catch (error) {
    throw new UserError(
      `${folder.path}/${CONFIG_NAME} cannot be written (${(error as Error).message}); the hooks are in place, so write the file yourself or run this again.`,
      1,
    );
  }
}

async function trust(
  { folder }: InitFacts,
  { features, trusts }: InitChoice,
  { world, dryRun }: { readonly world: World; readonly dryRun: boolean },
): Promise<InitDone['trust']> {
  if (!folder || !features.includes('checks')) return 'none';
  if (folder.trusted) return 'already';
  if (!trusts) return 'left';
  if (!dryRun) await trustStore(world.stopgateHome).trust(folder.path, new Date(wallNow(world.clock)));
  return 'recorded';
}
