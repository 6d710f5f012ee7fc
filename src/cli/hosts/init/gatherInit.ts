import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { type EntryPaths, HOST_FEATURES, type HostFeature, hookEntries } from '../../../hosts/claudeCode/entries.ts';
import { trustStore } from '../../../session/trust/trustStore.ts';
import { type TrustEffects, trustEffects } from '../../hooks/trust/trustEffects.ts';
import { UserError } from '../../userError.ts';
import type { World } from '../../world.ts';
import { entryPaths } from '../entryPaths.ts';
import { type SettingsScope, scopeFile } from '../settingsScope.ts';
import { hasConfig } from './configFile.ts';
import { folderOnDisk, type ProposedCheck, proposeChecks } from './proposeChecks.ts';

/** What `init` finds before it asks anything. */
export interface InitFacts {
  readonly scope: SettingsScope;
  /** The settings file, as a person would name it. */
  readonly file: string;
  readonly paths: EntryPaths;
  /** Checks belong to a folder: with `--scope user` there is none to speak of. */
  readonly folder: FolderOfChecks | undefined;
}

export interface FolderOfChecks {
  readonly path: string;
  readonly hasConfig: boolean;
  readonly proposed: readonly ProposedCheck[];
  readonly trusted: boolean;
  readonly waiting: TrustEffects;
}

export async function gatherInit(
  { scope, command }: { readonly scope: SettingsScope; readonly command: string | undefined },
  world: World,
): Promise<InitFacts> {
  const { packageRoot: root, stopgate: usual } = entryPaths();
  const stopgate = command === undefined ? usual : [path.resolve(world.cwd, command)];
  if (command !== undefined) await requireProgram(stopgate[0] ?? command);
  return {
    scope,
    file: scopeFile(scope, world),
    paths: { packageRoot: root, stopgate },
    folder: scope === 'user' ? undefined : await folderOfChecks(world),
  };
}

async function requireProgram(file: string): Promise<void> {
  const runs = await access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!runs) throw new UserError(`--command ${file} is not a program that can be run; name the stopgate to call.`);
}

async function folderOfChecks(world: World): Promise<FolderOfChecks> {
  return {
    path: world.cwd,
    hasConfig: hasConfig(world.cwd),
    proposed: proposeChecks(folderOnDisk(world.cwd)),
    trusted: await trustStore(world.stopgateHome).isTrusted(world.cwd),
    waiting: await trustEffects(world),
  };
}

/** Each feature that is on, with the events that it listens to. */
export function eventsOf(features: readonly HostFeature[], paths: EntryPaths) {
  return HOST_FEATURES.filter((feature) => features.includes(feature)).map((feature) => ({
    feature,
    events: hookEntries([feature], paths).map(({ event }) => event),
  }));
}
