import type { HostToWire } from '../../../hosts/findHosts.ts';
import type { WiredFile } from '../../../hosts/host.ts';
import type { SettingsChange } from '../../../hosts/settings/holdSettings.ts';
import { holdFiles } from '../../../hosts/wireHost.ts';
import type { TrustKind } from '../../../session/trust/trustItem.ts';
import { UserError } from '../../../system/userError.ts';
import type { World } from '../../../system/world.ts';
import { approveContent, gatherContent } from '../trust/folderContent.ts';
import type { InitChoice } from './chooseInit.ts';
import { CONFIG_NAME, configText, writeConfig } from './configFile.ts';
import type { FolderOfChecks, HostOfInit, InitFacts } from './gatherInit.ts';

type ConfigState = 'written' | 'there' | 'above' | 'left' | 'unknown' | 'none';

/** What an `init` did to the settings of one host. */
export interface HostDone extends HostOfInit {
  readonly files: readonly (SettingsChange & Pick<WiredFile, 'entries'>)[];
  /** For the person: what the host cannot do, and its own steps. */
  readonly notes: readonly string[];
  /** Why its hooks will not run here; null when they will. */
  readonly off: string | null;
}

/** A host whose settings cannot be changed, and the sentence why. */
interface RefusedHost {
  readonly host: HostToWire;
  readonly reason: string;
}

export interface InitDone {
  readonly hosts: readonly HostDone[];
  readonly refused: readonly RefusedHost[];
  readonly config: ConfigState;
  readonly trust: 'recorded' | 'already' | 'left' | 'none';
}

/**
 * Settings first, and all of them are tried before one is written. A host whose settings cannot be changed does not keep the
 * others from theirs; when none can be, nothing else is written.
 */
export async function carryOutInit(
  facts: InitFacts,
  choice: InitChoice,
  { world, dryRun }: { readonly world: World; readonly dryRun: boolean },
): Promise<InitDone> {
  const hosts: HostDone[] = [];
  const refused: RefusedHost[] = [];
  for (const tries of dryRun ? [true] : [true, false]) {
    hosts.length = 0;
    for (const one of facts.hosts.filter(({ host }) => !refused.some((bad) => bad.host === host))) {
      const done = await wireOne(one, facts, { choice, world, dryRun: tries });
      if ('reason' in done) refused.push(done);
      else hosts.push(done);
    }
    if (hosts.length === 0) throw new UserError(refused.map(({ reason }) => reason).join('\n'), 1);
  }
  const written = await config(facts, choice, dryRun);
  return { hosts, refused, config: written, trust: await trust(facts, choice, { world, dryRun, config: written }) };
}

async function wireOne(
  one: HostOfInit,
  { paths, scope: asked }: InitFacts,
  { choice, world, dryRun }: { readonly choice: InitChoice; readonly world: World; readonly dryRun: boolean },
): Promise<HostDone | RefusedHost> {
  const wish = { scope: one.scope, asked, features: choice.features, paths, world };
  const files = await one.wiring.files(wish);
  const held = await holdFiles(files, { kind: 'init', dryRun }, world);
  if (held.type === 'refused') return { host: one.host, reason: held.reason };
  const changes = held.files.map((change, at) => ({ ...change, entries: files[at]?.entries ?? [] }));
  const notes = [...changes.flatMap((change) => change.notes), ...(await one.wiring.notes(wish))];
  return { ...one, files: changes, notes, off: await one.wiring.whyOff(world.cwd, world) };
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
