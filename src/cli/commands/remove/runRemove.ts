import { existsSync } from 'node:fs';
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
import { shellWord } from '../../../system/shellWords.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { drained, processWriter } from '../../../system/writer.ts';
import { paintFor } from '../../output/colors.ts';
import { type Page, pageFor } from '../../output/page.ts';
import { changeDiff } from '../init/changeDiff.ts';
import { CONFIG_NAME, configFile } from '../init/configFile.ts';
import { SETTINGS_SCOPES, type SettingsScope, scopeFile, scopeFolder } from '../init/settingsFile.ts';
import type { Flags } from '../task/taskOptions.ts';

type RemoveOptions = Flags<never, 'all' | 'force' | 'dryRun' | 'json'> & { readonly scope?: SettingsScope };

interface Removal {
  readonly scope: SettingsScope;
  readonly outcome: ReleaseOutcome;
}

/** `stopgate remove`: removes what `init` wrote and what killed launches left. */
export async function runRemove(options: RemoveOptions): Promise<number> {
  const world = thisWorld();
  const writer = processWriter(() => {});
  const { force = false, dryRun = false } = options;
  const removals: Removal[] = [];
  for (const scope of options.all ? SETTINGS_SCOPES : [options.scope ?? 'local']) {
    const request = { file: scopeFile(scope, world), within: scopeFolder(scope, world), force, dryRun };
    removals.push({ scope, outcome: await removeSettings(request, world) });
  }
  const trusted = trustedFolder(world);
  if (options.json) writer.out(`${JSON.stringify(removals.map((one) => removalJson(one, dryRun, trusted)))}\n`);
  else {
    const page = pageFor(writer, world);
    for (const { outcome } of removals) {
      if (outcome.type === 'refused') writer.err(`stopgate: ${outcome.reason}\n`);
      else writer.out(removedText(outcome, dryRun, page));
    }
    const lines = [
      ...afterwards(removals, dryRun, world),
      // trust outlives the entries: `stopgate -p` and `launch` run the folder's own commands too
      ...(trusted === null
        ? []
        : [`${trusted} is still trusted; \`stopgate trust --remove ${shellWord(trusted)}\` revokes that.`]),
      ...(options.all ? await heldElsewhere(removals, world, page) : otherScopes(removals, world, page)),
    ];
    for (const line of lines) writer.out(`${page.block(line, 0)}\n`);
  }
  await drained();
  return removals.some(({ outcome }) => outcome.type === 'refused') ? 1 : 0;
}

/** The folder of the checks that run here, if it is trusted. */
function trustedFolder({ cwd, stopgateHome }: World): string | null {
  const config = findConfig(cwd);
  const folder = config === null ? cwd : path.dirname(config);
  return trustStore(stopgateHome).read(folder) === null ? null : folder;
}

/** One file's outcome, in a line or two; a diff with `--dry-run`. */
function removedText(removed: ReleasedSettings, dryRun: boolean, page: Page): string {
  const { holders, gone, notes } = removed;
  const pids = (list: ReleasedSettings['holders']) => list.map(({ pid }) => pid).join(', ');
  const sentences = [
    changeSentence(removed, dryRun, page),
    ...(gone.length > 0 ? [`A killed launch (process ${pids(gone)}) had left its entries there.`] : []),
    ...(holders.length > 0
      ? [`A launch is still running (process ${pids(holders)}) and keeps its entries; --force removes them now.`]
      : []),
    ...notes,
  ];
  return `${dryRun ? changeDiff(removed, page.paint) : ''}${page.block(sentences.join(' '), 0)}\n`;
}

function changeSentence(removed: ReleasedSettings, dryRun: boolean, page: Page): string {
  const { file, before, after, changed, holders, exact } = removed;
  const name = page.place({ file });
  const verb = (past: string, bare: string) => (dryRun ? `Would ${bare}` : past);
  if (!changed && holders.length > 0) return `${name} ${dryRun ? 'would not change' : 'was not changed'}.`;
  if (!changed)
    return `Nothing to remove: ${name} ${before.type === 'absent' ? 'does not exist' : 'has no Stopgate entries'}.`;
  if (after.type === 'absent')
    return `${verb('Deleted', 'delete')} ${name}: Stopgate created it, and it contained nothing else.`;
  if (holders.length > 0)
    return `${verb('Removed', 'remove')} all Stopgate entries from ${name} but those of a launch.`;
  if (exact) return `${verb('Restored', 'restore')} ${name} as it was before Stopgate.`;
  return `${verb('Removed', 'remove')} Stopgate's entries from ${name}; later edits are kept.`;
}

function afterwards(removals: readonly Removal[], dryRun: boolean, { cwd }: World): readonly string[] {
  if (dryRun) return ['Nothing was written.'];
  const changed = removals.some(({ outcome }) => outcome.type === 'released' && outcome.changed);
  return changed && existsSync(configFile(cwd)) ? [`${CONFIG_NAME} was kept.`] : [];
}

async function heldElsewhere(removals: readonly Removal[], { stopgateHome }: World, page: Page) {
  const processed = removals.flatMap(({ outcome }) => (outcome.type === 'released' ? [outcome.file] : []));
  const held = (await heldFiles(stopgateHome)).filter((file) => !processed.includes(file));
  if (held.length === 0) return [];
  return [`Other settings files with Stopgate entries: ${held.map((file) => page.place({ file })).join(', ')}.`];
}

/** Other settings files with our entries, for a user who forgot the scope. */
function otherScopes(removals: readonly Removal[], world: World, page: Page): readonly string[] {
  return SETTINGS_SCOPES.filter((scope) => !removals.some((one) => one.scope === scope)).flatMap((scope) => {
    const file = scopeFile(scope, world);
    return hasOurs(file) ? [`${page.place({ file })} also has Stopgate entries: stopgate remove --scope ${scope}`] : [];
  });
}

const LARGEST_BYTES = 1_000_000;

function hasOurs(file: string): boolean {
  const read = readTextFileSync(file, LARGEST_BYTES);
  const owned = read.type === 'read' && !read.cut ? ownedHooks(read.text) : undefined;
  return owned?.type === 'found' && owned.hooks.length > 0;
}

function removalJson({ scope, outcome }: Removal, dryRun: boolean, trusted: string | null) {
  if (outcome.type === 'refused') return { scope, refused: outcome.reason };
  const { file, changed, holders, gone, notes } = outcome;
  const processes = (list: typeof holders) => list.map(({ kind, pid, since }) => ({ kind, pid, since }));
  const facts = { scope, file, changed, dryRun, running: processes(holders), fixed: processes(gone), notes, trusted };
  return dryRun ? { ...facts, diff: changeDiff(outcome, paintFor(false, {})) } : facts;
}
