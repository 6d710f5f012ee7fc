import { existsSync } from 'node:fs';
import path from 'node:path';
// @ts-expect-error plain modules that also run by themselves
import { installClaudeCode, installPeer, PEERS } from '../../bench/lib/peers.mjs';
import { cacheFolder } from './hosts/installHost.ts';
import { installOnce } from './installOnce.ts';

const LIMIT_MS = 5 * 60_000;

export type Peer =
  | { readonly type: 'installed'; readonly folder: string; readonly modules: string; readonly label: string }
  | { readonly type: 'missing'; readonly reason: string };

/** A framework, installed once and outside of the repository: 75 to 160 MB that are not a dependency of Stopgate. */
export const findTestPeer = (name: string): Promise<Peer> => once(name, (options) => installPeer(name, options));

export const findClaudeCodePeer = () =>
  once<Peer & { readonly program: string }>('claudeCode', (options) => installClaudeCode(options));

type Missing = Extract<Peer, { readonly type: 'missing' }>;

async function once<Found>(name: string, install: (options: object) => Promise<Found | Missing>) {
  const cache = cacheFolder();
  const options = { cache, limitMs: LIMIT_MS };
  const prefix = path.join(cache, `${name}-${PEERS[name].version}`);
  const tried = await installOnce<Found | Missing | 'there'>({
    lock: `${prefix}.lock`,
    limitMs: LIMIT_MS,
    find: () => (existsSync(prefix) ? 'there' : null),
    install: () => install(options),
    late: (holder) => ({ type: 'missing', reason: `Process ${holder} did not install ${name} in 5 minutes.` }),
  });
  return tried === 'there' ? install(options) : tried;
}
