import { hookEntries } from '../../../hosts/claudeCode/entries.ts';
import { holdSettings, type SettingsChange } from '../../../hosts/claudeCode/settings/holdSettings.ts';
import type { TrustKind } from '../../../session/trust/trustItem.ts';
import { UserError } from '../../../system/userError.ts';
import type { World } from '../../../system/world.ts';
import { approveContent, gatherContent } from '../trust/folderContent.ts';
import type { InitChoice } from './chooseInit.ts';
import { CONFIG_NAME, configText, writeConfig } from './configFile.ts';
import type { FolderOfChecks, InitFacts } from './gatherInit.ts';
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
  const written = await config(facts, choice, dryRun);
  return { settings: held, config: written, trust: await trust(facts, choice, { world, dryRun, config: written }) };
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
  { world, dryRun, config }: { readonly world: World; readonly dryRun: boolean; readonly config: ConfigState },
): Promise<InitDone['trust']> {
  if (!folder || !features.includes('checks')) return 'none';
  const isNew = config === 'written';
  if (folder.trusted && !isNew) return 'already';
  if (!folder.trusted && !trusts) return 'left';
  if (!dryRun) await approve(folder, isNew, world);
  return 'recorded';
}

/** What was shown, and the checks that were chosen: nothing else that appeared meanwhile. */
async function approve({ path, waiting }: FolderOfChecks, isNew: boolean, world: World): Promise<void> {
  const inFolder = { ...world, cwd: path };
  const now = await gatherContent(inFolder);
  const shown = new Set(waiting.content.items.map(({ digest }) => digest));
  const items = now.content.items.filter(({ digest, kind }) => shown.has(digest) || (isNew && CHOSEN.has(kind)));
  await approveContent({ ...now, content: { ...now.content, items } }, inFolder);
}

const CHOSEN: ReadonlySet<string> = new Set(['check', 'definition'] satisfies TrustKind[]);
