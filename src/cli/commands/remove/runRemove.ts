import { existsSync } from 'node:fs';
import path from 'node:path';
import { entryPaths } from '../../../hosts/entryCommands.ts';
import { type HostToWire, namedHosts, wirableHosts } from '../../../hosts/findHosts.ts';
import { OWNERSHIP_MARK, SETTINGS_SCOPES, type SettingsScope, type WiredFile } from '../../../hosts/host.ts';
import { heldFiles } from '../../../hosts/settings/holdRecord.ts';
import type { ReleasedSettings, ReleaseOutcome } from '../../../hosts/settings/holdSettings.ts';
import { removeFiles } from '../../../hosts/wireHost.ts';
import { trustStore } from '../../../session/trust/trustStore.ts';
import { findConfig } from '../../../stop/checks/findConfig.ts';
import { textIn } from '../../../system/readTextFile.ts';
import { realPath } from '../../../system/realPath.ts';
import { shellWord } from '../../../system/shellWords.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { drained, processWriter } from '../../../system/writer.ts';
import { paintFor } from '../../output/colors.ts';
import { type Page, pageFor } from '../../output/page.ts';
import { changeDiff } from '../init/changeDiff.ts';
import { CONFIG_NAME, configFile } from '../init/configFile.ts';
import type { Flags } from '../task/taskOptions.ts';

type RemoveOptions = Flags<never, 'all' | 'force' | 'dryRun' | 'json'> & {
  readonly scope?: SettingsScope;
  readonly host?: readonly string[];
};

interface Removal {
  readonly host: HostToWire;
  readonly scope: SettingsScope;
  readonly outcome: ReleaseOutcome;
}

/** `stopgate remove`: removes what `init` wrote and what killed launches left. */
export async function runRemove(options: RemoveOptions): Promise<number> {
  const world = thisWorld();
  const writer = processWriter(() => {});
  const { force = false, dryRun = false } = options;
  const removals: Removal[] = [];
  const scopes = options.all ? SETTINGS_SCOPES : [options.scope ?? 'local'];
  const wirings = await wiringsOf(options.host, scopes, world);
  const held = await heldFiles(world.stopgateHome);
  const ours = wirings.filter(({ files }) => files.some((one) => isOurs(one, held)));
  // with nothing to remove, the report names the file where it would be
  for (const { host, scope, files } of options.host
    ? wirings
    : ours.length > 0
      ? ours
      : wirings.slice(0, scopes.length)) {
    for (const outcome of await removeFiles(files, { force, dryRun }, world)) removals.push({ host, scope, outcome });
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
      ...(options.all
        ? await heldElsewhere(removals, world, page)
        : await otherScopes(options.host, removals, { world, page })),
    ];
    for (const line of lines) writer.out(`${page.block(line, 0)}\n`);
  }
  await drained();
  return removals.some(({ outcome }) => outcome.type === 'refused') ? 1 : 0;
}

interface Wiring {
  readonly host: HostToWire;
  readonly scope: SettingsScope;
  readonly files: readonly WiredFile[];
}

/** The files of these hosts and scopes, each once. */
async function wiringsOf(
  named: readonly string[] | undefined,
  scopes: readonly SettingsScope[],
  world: World,
): Promise<readonly Wiring[]> {
  const wirings: Wiring[] = [];
  for (const host of named ? namedHosts(named) : wirableHosts()) {
    const wiring = await host.wiring.load();
    for (const scope of new Set(scopes.map((asked) => wiring.scope(asked)))) {
      const files = await wiring.files({ scope, features: [], paths: entryPaths(), world });
      wirings.push({ host, scope, files });
    }
  }
  return wirings;
}

/** Files of other hosts are not touched, not even read as settings. */
const isOurs = ({ file }: WiredFile, held: readonly string[]) => held.includes(realPath(file)) || hasMark(file);

/** The folder of the checks that run here, if it is trusted. */
function trustedFolder({ cwd, stopgateHome }: World): string | null {
  const config = findConfig(cwd);
  const folder = config === null ? cwd : path.dirname(config);
  return trustStore(stopgateHome).read(folder) === null ? null : folder;
}

/** One file's outcome, in a line or two; a diff with `--dry-run`. */
function removedText(removed: ReleasedSettings, dryRun: boolean, page: Page): string {
  const { gone, notes } = removed;
  const holders = removed.holders.filter(({ kind }) => kind === 'launch');
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
  const { file, before, after, changed, holders: staying, exact } = removed;
  const holders = staying.filter(({ kind }) => kind === 'launch');
  const name = page.place({ file });
  const verb = (past: string, bare: string) => (dryRun ? `Would ${bare}` : past);
  if (!changed && holders.length > 0) return `${name} ${dryRun ? 'would not change' : 'was not changed'}.`;
  if (!changed && staying.length > 0) return `${name} keeps the entries of other folders.`;
  if (!changed)
    return `Nothing to remove: ${name} ${before.type === 'absent' ? 'does not exist' : 'has no Stopgate entries'}.`;
  if (after.type === 'absent')
    return `${verb('Deleted', 'delete')} ${name}: Stopgate created it, and it contained nothing else.`;
  if (holders.length > 0)
    return `${verb('Removed', 'remove')} all Stopgate entries from ${name} but those of a launch.`;
  if (staying.length > 0) return `${verb('Removed', 'remove')} the entries of this folder from ${name}.`;
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
async function otherScopes(
  named: readonly string[] | undefined,
  removals: readonly Removal[],
  { world, page }: { readonly world: World; readonly page: Page },
): Promise<readonly string[]> {
  const processed = removals.flatMap(({ outcome }) => (outcome.type === 'released' ? [outcome.file] : []));
  const wirings = await wiringsOf(named, SETTINGS_SCOPES, world);
  return wirings.flatMap(({ host, scope, files }) =>
    files
      .map(({ file }) => file)
      .filter((file) => !processed.includes(realPath(file)) && hasMark(file))
      .map(
        (file) =>
          `${page.place({ file })} also has Stopgate entries: stopgate remove --host ${host.wiring.flag} --scope ${scope}`,
      ),
  );
}

const hasMark = (file: string): boolean => textIn(file).includes(OWNERSHIP_MARK);

function removalJson({ host, scope, outcome }: Removal, dryRun: boolean, trusted: string | null) {
  const of = { host: host.wiring.flag, scope };
  if (outcome.type === 'refused') return { ...of, refused: outcome.reason };
  const { file, changed, holders, gone, notes } = outcome;
  const processes = (list: typeof holders) => list.map(({ kind, pid, since }) => ({ kind, pid, since }));
  const facts = { ...of, file, changed, dryRun, running: processes(holders), fixed: processes(gone), notes, trusted };
  return dryRun ? { ...facts, diff: changeDiff(outcome, paintFor(false, {})) } : facts;
}
