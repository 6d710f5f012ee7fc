import { existsSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '../system/findProgram.ts';
import { ownPath } from '../system/ownPath.ts';
import { UserError } from '../system/userError.ts';
import type { World } from '../system/world.ts';
import { HOSTS } from './all.ts';
import type { Host, WirableHost } from './host.ts';

export type HostToWire = Host & { readonly wiring: WirableHost };

export interface FoundHost {
  readonly host: HostToWire;
  /** Its program on the PATH, outside of the project; null when it is not there. */
  readonly program: string | null;
  /** Whether the user has settings of it. */
  readonly configured: boolean;
}

/** The usual one first: at events, the one with the most specific fields is tried first. */
export const wirableHosts = (hosts = HOSTS): readonly HostToWire[] =>
  hosts.filter((host): host is HostToWire => host.wiring !== undefined).toReversed();

/** Every host that Stopgate can be added to, and whether it is on this machine: a program of the project is not the user's. */
export function findHosts({ cwd, homeDir, env }: World, hosts = HOSTS): readonly FoundHost[] {
  const searchPath = ownPath(env.PATH, cwd);
  return wirableHosts(hosts).map((host) => ({
    host,
    program: findProgram(host.wiring.flag, '/', searchPath),
    configured: existsSync(path.join(homeDir, host.wiring.home)),
  }));
}

/** The hosts that `--host` names, in its order. Throws a `UserError` for an unknown name. */
export function namedHosts(flags: readonly string[], hosts = HOSTS): readonly HostToWire[] {
  const known = wirableHosts(hosts);
  return [...new Set(flags)].map((flag) => {
    const host = known.find(({ wiring }) => wiring.flag === flag);
    if (host) return host;
    const names = known.map(({ wiring }) => wiring.flag).join(', ');
    throw new UserError(`"${flag}" is not an agent that Stopgate can be added to; use one of ${names}.`);
  });
}
