import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { entryPaths } from '../../../hosts/entryCommands.ts';
import type { HostToWire } from '../../../hosts/findHosts.ts';
import type { EntryPaths, HostWiring, SettingsScope } from '../../../hosts/host.ts';
import { hookSecondsIn } from '../../../hosts/launchPaths.ts';
import { findConfig } from '../../../stop/checks/findConfig.ts';
import { UserError } from '../../../system/userError.ts';
import type { World } from '../../../system/world.ts';
import { isCurrent } from '../trust/difference.ts';
import { type FolderContent, gatherContent } from '../trust/folderContent.ts';
import { folderOnDisk, type ProposedCheck, proposeChecks } from './proposeChecks.ts';

export interface InitFacts {
  /** As asked for: a host that does not have it uses another. */
  readonly scope: SettingsScope;
  readonly hosts: readonly HostOfInit[];
  readonly paths: EntryPaths;
  /** Absent with `--scope user`: checks belong to a folder. */
  readonly folder: FolderOfChecks | undefined;
}

export interface HostOfInit {
  readonly host: HostToWire;
  readonly wiring: HostWiring;
  readonly scope: SettingsScope;
}

export interface FolderOfChecks {
  /** The folder of the configuration, existing or new: its checks run only when this folder is trusted. */
  readonly path: string;
  /** `above`: a configuration in a parent folder, up to the root of the repository, applies here too. */
  readonly config: 'none' | 'here' | 'above';
  readonly proposed: readonly ProposedCheck[];
  /** Warnings about files that could have suggested checks and were not read. */
  readonly unread: readonly string[];
  /** Whether everything in it is approved as it is. */
  readonly trusted: boolean;
  readonly waiting: FolderContent;
}

export interface InitWish {
  readonly scope: SettingsScope;
  readonly hosts: readonly HostToWire[];
  readonly command: string | undefined;
}

export async function gatherInit({ scope, command, hosts }: InitWish, world: World): Promise<InitFacts> {
  const { packageRoot: root, stopgate: own } = entryPaths();
  const stopgate = command === undefined ? own : [path.resolve(world.cwd, command)];
  if (command !== undefined) await requireProgram(stopgate[0] ?? command);
  return {
    scope,
    hosts: await Promise.all(hosts.map((host) => hostOfInit(host, scope))),
    // for the user everywhere, no configuration is known yet
    paths: { packageRoot: root, stopgate, ...(await hookSecondsIn(scope === 'user' ? null : world.cwd)) },
    folder: scope === 'user' ? undefined : await folderOfChecks(world),
  };
}

async function hostOfInit(host: HostToWire, asked: SettingsScope): Promise<HostOfInit> {
  const wiring = await host.wiring.load();
  return { host, wiring, scope: wiring.scope(asked) };
}

async function requireProgram(file: string): Promise<void> {
  await access(file, constants.X_OK).catch(() => {
    throw new UserError(`--command ${file} is not an executable file; pass the path of stopgate.`);
  });
}

async function folderOfChecks(world: World): Promise<FolderOfChecks> {
  const found = findConfig(world.cwd);
  const folder = found === null ? world.cwd : path.dirname(found);
  const unread = new Set<string>();
  const inFolder = { ...world, cwd: folder };
  const waiting = await gatherContent(inFolder);
  if (waiting.broken !== null) throw new UserError(waiting.broken);
  return {
    path: folder,
    config: found === null ? 'none' : folder === path.resolve(world.cwd) ? 'here' : 'above',
    proposed: proposeChecks(folderOnDisk(world.cwd, (sentence) => unread.add(sentence))),
    unread: [...unread],
    trusted: isCurrent(waiting, inFolder),
    waiting,
  };
}
