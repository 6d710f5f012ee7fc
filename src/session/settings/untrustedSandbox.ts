import type { JsonPath } from '../../schemas/json.ts';
import { NO_SANDBOX, type SandboxSettings } from '../../schemas/sandboxSettings.ts';

export interface SkippedSetting {
  readonly path: JsonPath;
  readonly because: string;
  /** The values of a list, record or single value that were left out. */
  readonly values?: readonly string[];
}

interface Row {
  readonly key: string;
  /** Whether this file widens the sandbox by this key. */
  readonly widens: (sandbox: SandboxSettings) => boolean;
  readonly because: string;
}

const OFF = 'it would switch your sandbox off';
const UNASKED = 'it would let commands run without a rule';
const OUTSIDE = 'it would let commands run outside the sandbox';
const REACH = 'it would open what the sandbox shuts off';

const WIDENING: readonly Row[] = [
  { key: 'enabled', widens: ({ enabled }) => enabled === false, because: OFF },
  { key: 'autoAllowBashIfSandboxed', widens: (box) => box.autoAllowBashIfSandboxed === true, because: UNASKED },
  { key: 'failIfUnavailable', widens: ({ failIfUnavailable }) => failIfUnavailable === false, because: OFF },
  { key: 'excludedCommands', widens: ({ excludedCommands }) => excludedCommands.length > 0, because: OUTSIDE },
  { key: 'filesystem.allowWrite', widens: ({ filesystem }) => filesystem.allowWrite.length > 0, because: REACH },
  { key: 'filesystem.allowRead', widens: ({ filesystem }) => filesystem.allowRead.length > 0, because: REACH },
  { key: 'network.allowedDomains', widens: ({ network }) => network.allowedDomains.length > 0, because: REACH },
  { key: 'network.allowUnixSockets', widens: ({ network }) => network.allowUnixSockets.length > 0, because: REACH },
  { key: 'network.httpProxyPort', widens: ({ network }) => network.httpProxyPort !== undefined, because: REACH },
];

/**
 * The part of a repository's sandbox that only narrows. Enabling it narrows, but its default that commands inside need no
 * rule does not: hence `forced` in place of `enabled`.
 */
export function narrowedSandbox(sandbox: SandboxSettings): {
  readonly sandbox: SandboxSettings;
  readonly skipped: readonly SkippedSetting[];
} {
  const { enabled, autoAllowBashIfSandboxed, failIfUnavailable, filesystem, network } = sandbox;
  const { secretFiles, secretVariables, withoutEffect } = sandbox;
  return {
    sandbox: {
      ...NO_SANDBOX,
      ...(enabled === true && { forced: true }),
      ...(autoAllowBashIfSandboxed === false && { autoAllowBashIfSandboxed }),
      ...(failIfUnavailable === true && { failIfUnavailable }),
      filesystem: { ...NO_SANDBOX.filesystem, denyWrite: filesystem.denyWrite, denyRead: filesystem.denyRead },
      network: { ...NO_SANDBOX.network, deniedDomains: network.deniedDomains },
      secretFiles,
      secretVariables,
      withoutEffect,
    },
    skipped: WIDENING.filter(({ widens }) => widens(sandbox)).map(({ key, because }) => {
      return { path: ['sandbox', ...key.split('.')], because };
    }),
  };
}
