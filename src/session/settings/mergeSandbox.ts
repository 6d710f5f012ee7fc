import { dirname, resolve } from 'node:path';
import { NO_SANDBOX, type SandboxFiles, type SandboxSettings } from '../../schemas/sandboxSettings.ts';
import type { SettingsLayer } from './types.ts';

/**
 * Adds a stronger layer's sandbox to what weaker ones say: single values are replaced, lists joined. An administrator
 * can leave out the domains and readable paths of all other files.
 */
export function mergeSandbox(
  before: SandboxSettings = NO_SANDBOX,
  added: SandboxSettings,
  layer: Pick<SettingsLayer, 'source' | 'file'>,
): SandboxSettings {
  const isManaged = layer.source === 'managed';
  const files = anchored(added, layer);
  const locksDomains = isManaged && added.network.allowManagedDomainsOnly === true;
  const locksReads = isManaged && files.allowManagedReadPathsOnly === true;
  return {
    ...before,
    ...added,
    excludedCommands: union(before.excludedCommands, added.excludedCommands),
    filesystem: {
      allowWrite: union(before.filesystem.allowWrite, files.allowWrite),
      denyWrite: union(before.filesystem.denyWrite, files.denyWrite),
      allowRead: union(locksReads ? [] : before.filesystem.allowRead, files.allowRead),
      denyRead: union(before.filesystem.denyRead, files.denyRead),
    },
    network: {
      ...before.network,
      ...added.network,
      allowedDomains: union(locksDomains ? [] : before.network.allowedDomains, added.network.allowedDomains),
      deniedDomains: union(before.network.deniedDomains, added.network.deniedDomains),
      allowUnixSockets: union(before.network.allowUnixSockets, added.network.allowUnixSockets),
    },
    secretFiles: union(before.secretFiles, added.secretFiles),
    secretVariables: union(before.secretVariables, added.secretVariables),
    withoutEffect: union(before.withoutEffect, added.withoutEffect),
  };
}

/** A relative path in the person's own file starts at that file's folder; in all others, at the project. */
function anchored({ filesystem }: SandboxSettings, { source, file }: Pick<SettingsLayer, 'source' | 'file'>) {
  if (source !== 'user') return filesystem;
  const base = dirname(file);
  const anchor = (paths: readonly string[]) => paths.map((path) => (/^[~/]/.test(path) ? path : resolve(base, path)));
  const { allowWrite, denyWrite, allowRead, denyRead } = filesystem;
  const lists = { allowWrite: anchor(allowWrite), denyWrite: anchor(denyWrite) };
  const anchoredFiles: SandboxFiles = { ...lists, allowRead: anchor(allowRead), denyRead: anchor(denyRead) };
  return { ...filesystem, ...anchoredFiles };
}

function union(before: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...before, ...added])];
}
