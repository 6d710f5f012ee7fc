import type { JsonPath } from '../../schemas/json.ts';
import { NO_SANDBOX, type SandboxSettings } from '../../schemas/sandboxSettings.ts';

interface Skipped {
  readonly path: JsonPath;
  readonly because: string;
}

interface Row {
  readonly path: readonly string[];
  /** Whether this file widens the sandbox by this key. */
  readonly widens: (sandbox: SandboxSettings) => boolean;
  readonly because: string;
}

const OFF = 'it would switch your sandbox off';
const OUTSIDE = 'it would let commands run outside the sandbox';
const REACH = 'it would open what the sandbox shuts off';

const WIDENING: readonly Row[] = [
  { path: ['enabled'], widens: ({ enabled }) => enabled === false, because: OFF },
  {
    path: ['autoAllowBashIfSandboxed'],
    widens: ({ autoAllowBashIfSandboxed }) => autoAllowBashIfSandboxed === true,
    because: 'it would let commands run without a rule',
  },
  { path: ['failIfUnavailable'], widens: ({ failIfUnavailable }) => failIfUnavailable === false, because: OFF },
  { path: ['excludedCommands'], widens: ({ excludedCommands }) => excludedCommands.length > 0, because: OUTSIDE },
  { path: ['filesystem', 'allowWrite'], widens: ({ filesystem }) => filesystem.allowWrite.length > 0, because: REACH },
  { path: ['filesystem', 'allowRead'], widens: ({ filesystem }) => filesystem.allowRead.length > 0, because: REACH },
  { path: ['network', 'allowedDomains'], widens: ({ network }) => network.allowedDomains.length > 0, because: REACH },
  {
    path: ['network', 'allowUnixSockets'],
    widens: ({ network }) => network.allowUnixSockets.length > 0,
    because: REACH,
  },
  { path: ['network', 'httpProxyPort'], widens: ({ network }) => network.httpProxyPort !== undefined, because: REACH },
];

/**
 * The part of a repository's sandbox that only narrows. Enabling it narrows, but its default that commands inside need no
 * rule does not: hence `forced` in place of `enabled`.
 */
export function narrowedSandbox(sandbox: SandboxSettings): {
  readonly sandbox: SandboxSettings;
  readonly skipped: readonly Skipped[];
} {
  const { enabled, autoAllowBashIfSandboxed, failIfUnavailable, filesystem, network } = sandbox;
  const { denyWrite, denyRead } = filesystem;
  const { deniedDomains } = network;
  const { secretFiles, secretVariables, withoutEffect } = sandbox;
  return {
    sandbox: {
      ...NO_SANDBOX,
      ...(enabled === true && { forced: true }),
      ...(autoAllowBashIfSandboxed === false && { autoAllowBashIfSandboxed }),
      ...(failIfUnavailable === true && { failIfUnavailable }),
      filesystem: { ...NO_SANDBOX.filesystem, denyWrite, denyRead },
      network: { ...NO_SANDBOX.network, deniedDomains },
      secretFiles,
      secretVariables,
      withoutEffect,
    },
    skipped: WIDENING.filter(({ widens }) => widens(sandbox)).map(({ path, because }) => ({
      path: ['sandbox', ...path],
      because,
    })),
  };
}
