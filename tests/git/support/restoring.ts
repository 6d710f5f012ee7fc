import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Git } from '../../../src/git/git.ts';
import { pathBytes } from '../../../src/git/quotedPath.ts';
import { findKeptState, listKeptStates } from '../../../src/git/restore/keptStates.ts';
import { planRestore } from '../../../src/git/restore/planRestore.ts';
import { type RestoredWork, restoreWork } from '../../../src/git/restore/restoreWork.ts';
import { findWorkTree } from '../../../src/git/workTree.ts';
import type { GitRepository } from '../../support/gitRepository.ts';

/** One file or link as it is on disk; content in latin1, so that no byte is lost. */
export interface DiskFile {
  readonly kind: 'file' | 'link';
  readonly mode: number;
  readonly content: string;
}

/** Every file and link below the top, by name in latin1. */
export function files(top: string): Map<string, DiskFile> {
  const found = new Map<string, DiskFile>();
  const walk = (folder: Buffer, prefix: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
      const key = prefix + entry.name.toString('latin1');
      if (key === '.git') continue;
      const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
      if (entry.isDirectory()) walk(path, `${key}/`);
      else if (entry.isSymbolicLink()) found.set(key, { kind: 'link', mode: 0, content: readlinkSync(path) });
      else found.set(key, { kind: 'file', mode: lstatSync(path).mode & 0o777, content: readFileSync(path, 'latin1') });
    }
  };
  walk(Buffer.from(top), '');
  return found;
}

export const keyOf = (quoted: string): string => pathBytes(quoted).toString('latin1');

/** What a commit holds, by name: mode and object. */
export function treeOf({ git }: GitRepository, commit: string): Map<string, { mode: string; object: string }> {
  const lines = git('-c', 'core.quotePath=true', 'ls-tree', '-r', commit).trimEnd().split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [, mode = '', object = '', path = ''] = /^(\d+) \w+ (\w+)\t(.*)$/.exec(line) ?? [];
      return [keyOf(path), { mode, object }] as const;
    }),
  );
}

/** The object that `git add` would make of a file, and the one of its very bytes. */
export async function idsOf({ hardened, path }: GitRepository, keys: readonly string[]) {
  const quoted = keys.map((key) => `"${[...Buffer.from(key, 'latin1')].map(octal).join('')}"`);
  const run = async (...flags: string[]) => {
    if (keys.length === 0) return [];
    const args = ['hash-object', ...flags, '--stdin-paths'];
    const end = await hardened.run({ folder: path, args, input: `${quoted.join('\n')}\n` });
    if (end.type === 'failed') throw new Error(end.reason);
    return end.stdout.trim().split('\n');
  };
  const [clean, raw] = [await run(), await run('--no-filters')];
  return new Map(keys.map((key, index) => [key, { clean: clean[index] ?? '', raw: raw[index] ?? '' }]));
}

const octal = (byte: number) => `\\${byte.toString(8).padStart(3, '0')}`;

/** Ids of all that a ref or the index reaches. */
export const reachable = ({ git }: GitRepository): Set<string> =>
  new Set(
    git('rev-list', '--objects', '--glob=refs/stopgate/*', '--all', '--indexed-objects')
      .split('\n')
      .map((line) => line.slice(0, 40)),
  );

interface Restoring {
  readonly id: string;
  readonly force: boolean;
  readonly undoId: string;
  /** Another one than the repository's own, to see or disturb what a restore does. */
  readonly git?: Git;
}

export async function restore(repository: GitRepository, { id, force, undoId, git = repository.hardened }: Restoring) {
  const workTree = await findWorkTree(repository.hardened, repository.path);
  if (workTree.type !== 'workTree') throw new Error(workTree.reason);
  const listed = await listKeptStates(repository.hardened, repository.path);
  if (listed.type === 'failed') throw new Error(listed.reason);
  const found = await findKeptState(repository.hardened, repository.path, { states: listed.states, wanted: id });
  if (found.type !== 'found') throw new Error(found.reason);
  const request = { workTree, state: found.state, isWanted: () => true, mayOverwrite: () => force };
  const planned = await planRestore(git, request);
  if (planned.type === 'failed') throw new Error(planned.reason);
  await using disposed = planned;
  const end: RestoredWork = await restoreWork(git, request, { planned: disposed, undoId });
  return { plan: planned.plan, end };
}
