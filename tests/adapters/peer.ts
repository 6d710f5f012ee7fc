import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findTestPeer, type Peer } from '../support/peers.ts';

const REPOSITORY = path.join(import.meta.dirname, '../..');

/** A framework, installed once and outside of the repository: 75 to 160 MB that are not a dependency of Stopgate. */
export async function findPeer(name: string): Promise<Peer> {
  if (process.env.STOPGATE_SKIP_ADAPTERS === '1') return { type: 'missing', reason: 'STOPGATE_SKIP_ADAPTERS is 1.' };
  const peer = await findTestPeer(name);
  if (peer.type === 'missing') process.stdout.write(`tests/adapters/${name} is skipped: ${peer.reason}\n`);
  return peer;
}

/** Imports a module of the framework as a program beside it does. */
export async function importFrom(peer: Peer, specifier: string) {
  if (peer.type === 'missing') return {};
  const loader = path.join(peer.modules, '.load.mjs');
  writeFileSync(loader, 'export const load = (specifier) => import(specifier);\n');
  const { load } = await import(pathToFileURL(loader).href);
  return load(specifier);
}

/** A folder whose `node_modules` has the framework and the built Stopgate, as in a program that uses both. */
export function programFolder(peer: Peer, folder: string): void {
  if (peer.type === 'missing') return;
  const modules = path.join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(peer.modules)) {
    if (!name.startsWith('.')) symlinkSync(path.join(peer.modules, name), path.join(modules, name));
  }
  symlinkSync(REPOSITORY, path.join(modules, 'stopgate'));
}
