import path from 'node:path';
import { heldFiles } from '../../../hosts/claudeCode/settings/holdRecord.ts';
import {
  type ReleasedSettings,
  type ReleaseOutcome,
  removeSettings,
} from '../../../hosts/claudeCode/settings/holdSettings.ts';
import { ownedHooks } from '../../../hosts/claudeCode/settings/ownedHooks.ts';
import { trustStore } from '../../../session/trust/trustStore.ts';
import { findConfig } from '../../../stop/checks/findConfig.ts';
import { readTextFileSync } from '../../../system/readTextFile.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../system/writer.ts';
import { paintFor } from '../../output/colours.ts';
import { type Page, pageFor } from '../../output/page.ts';
import { CONFIG_NAME, hasConfig } from '../init/configFile.ts';
import { SETTINGS_SCOPES, type SettingsScope, scopeFile, scopeFolder } from '../init/settingsScope.ts';
import { changeDiff } from '../init/shownChange.ts';
import { removedText } from './removeText.ts';

export interface RemoveOptions {
  readonly scope?: SettingsScope;
  readonly all?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface Removal {
  readonly scope: SettingsScope;
  readonly outcome: ReleaseOutcome;
}

/** `stopgate remove`: takes out what `init` wrote and what killed launches left. */
export async function runRemove(options: RemoveOptions): Promise<number> {
  const world = thisWorld();
  const writer = processWriter(() => {});
  const scopes = options.all ? SETTINGS_SCOPES : [options.scope ?? 'local'];
  const removals: Removal[] = [];
  for (const scope of scopes) {
    const { force = false, dryRun = false } = options;
    const wish = { file: scopeFile(scope, world), within: scopeFolder(scope, world), force, dryRun };
    removals.push({ scope, outcome: await removeSettings(wish, world) });
  }
  const trusted = await trustedFolder(world);
  if (options.json) writer.out(`${JSON.stringify(removals.map((one) => removalJson(one, { ...options, trusted })))}\n`);
  else await report(removals, { options, world, writer, trusted });
  await drained();
  return removals.some(({ outcome }) => outcome.type === 'refused') ? 1 : 0;
}

/** The folder whose checks run here, when it is trusted; null otherwise. */
async function trustedFolder({ cwd, stopgateHome }: World): Promise<string | null> {
  const config = findConfig(cwd);
  const folder = config === null ? cwd : path.dirname(config);
  return (await trustStore(stopgateHome).isTrusted(folder)) ? folder : null;
}

interface Reporting {
  readonly trusted: string | null;
  readonly options: RemoveOptions;
  readonly world: World;
  readonly writer: Writer;
}

async function report(removals: readonly Removal[], { options, world, writer, trusted }: Reporting): Promise<void> {
  const page = pageFor(writer, world);
  for (const { outcome } of removals) {
    if (outcome.type === 'refused') writer.err(`stopgate: ${outcome.reason}\n`);
    else writer.out(removedText(outcome, options.dryRun === true, page));
  }
  const done = removals.flatMap(({ outcome }) => (outcome.type === 'released' ? [outcome] : []));
  const lines = [
    ...afterwards(done, options, world),
    ...trustLine(trusted),
    ...(await elsewhere(removals, { options, world, page })),
  ];
  for (const line of lines) writer.out(`${page.block(line, 0)}\n`);
}

function afterwards(done: readonly ReleasedSettings[], { dryRun }: RemoveOptions, world: World): readonly string[] {
  if (dryRun) return ['Nothing was written.'];
  if (!done.some(({ changed }) => changed) || !hasConfig(world.cwd)) return [];
  return [`${CONFIG_NAME} stays; it is yours.`];
}

/** Trust outlives the entries: it is about the folder's own commands, which `stopgate -p` and `launch` run too. */
const trustLine = (trusted: string | null): readonly string[] =>
  trusted === null ? [] : [`${trusted} stays trusted; \`stopgate trust --remove ${trusted}\` withdraws that.`];

/** Where else something of ours is: somebody who forgot the scope should not have to guess. */
async function elsewhere(
  removals: readonly Removal[],
  { options, world, page }: { options: RemoveOptions; world: World; page: Page },
): Promise<readonly string[]> {
  if (options.all) {
    const looked = removals.flatMap(({ outcome }) => (outcome.type === 'released' ? [outcome.file] : []));
    const held = (await heldFiles(world.stopgateHome)).filter((file) => !looked.includes(file));
    return held.length === 0 ? [] : [`Also held elsewhere: ${held.map((file) => page.place({ file })).join(', ')}.`];
  }
  return SETTINGS_SCOPES.filter((scope) => !removals.some((one) => one.scope === scope)).flatMap((scope) => {
    const file = scopeFile(scope, world);
    return hasOurs(file) ? [`${page.place({ file })} has entries too: stopgate remove --scope ${scope}`] : [];
  });
}

const LARGEST_BYTES = 1_000_000;

function hasOurs(file: string): boolean {
  const read = readTextFileSync(file, LARGEST_BYTES);
  const owned = read.type === 'read' && !read.cut ? ownedHooks(read.text) : undefined;
  return owned?.type === 'found' && owned.hooks.length > 0;
}

function removalJson(
  { scope, outcome }: Removal,
  { dryRun = false, trusted }: RemoveOptions & Pick<Reporting, 'trusted'>,
) {
  if (outcome.type === 'refused') return { scope, refused: outcome.reason };
  const { file, changed, holders, gone, notes } = outcome;
  const processes = (list: typeof holders) => list.map(({ kind, pid, since }) => ({ kind, pid, since }));
  const diff = dryRun ? { diff: changeDiff(outcome, paintFor(false, {})) } : {};
  return {
    scope,
    file,
    changed,
    dryRun,
    running: processes(holders),
    mended: processes(gone),
    notes,
    trusted,
    ...diff,
  };
}
