import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../../testing/gitRepository.ts';
import { snapshotWorkTree } from '../snapshotWorkTree.ts';
import { findWorkTree, type WorkTree } from '../workTree.ts';
import { keyOf } from './decideRestore.ts';
import { findKeptState, listKeptStates } from './keptStates.ts';
import { planRestore } from './planRestore.ts';
import { restoreWork } from './restoreWork.ts';

// few names, so that edits meet: files that become folders, names with odd bytes
const NAMES = ['a', 'a/b', 'a/b/c', 'd e.txt', 'd/ü\n"x', 'ignored/f', 'z.bin', 'Z.bin'];
const BYTES = Buffer.from('caf\xe9', 'latin1');

type Edit =
  | { readonly type: 'write' | 'link'; readonly name: string; readonly content: number }
  | { readonly type: 'remove' | 'chmod' | 'add' | 'folder'; readonly name: string }
  | { readonly type: 'rename'; readonly name: string; readonly to: string }
  | { readonly type: 'bytes'; readonly content: number }
  | { readonly type: 'commit' | 'unstage' };

const name = fc.constantFrom(...NAMES);
const content = fc.integer({ min: 0, max: 5 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('write' as const), name, content }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('link' as const), name, content }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('remove', 'chmod', 'add', 'folder'), name }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('rename' as const), name, to: name }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('bytes' as const), content }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('commit', 'unstage') }) },
);
const edits = (minLength: number) => fc.array(edit, { minLength, maxLength: 10, size: 'max' });

/** Mostly somebody threw the work away before it is wanted back. */
const goesBack = fc.constantFrom(true, true, false);
const way = fc.record({ force: fc.boolean(), goesBack });

const text = (content: number) => (content === 0 ? '' : `${'x\0y\n'.repeat(content)}content ${content}\n`);

/** Makes room as a person would: whatever is in the way goes first. */
function clear(path: string, top: string): void {
  for (let at = dirname(path); at.length > top.length; at = dirname(at)) {
    if (existsOrLink(at) && !lstatSync(at).isDirectory()) rmSync(at);
  }
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
}

const existsOrLink = (path: string) => entryAt(path) !== undefined;
function entryAt(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

const EDITS: {
  readonly [Type in Edit['type']]: (repository: GitRepository, edit: Extract<Edit, { type: Type }>) => void;
} = {
  write: ({ path }, { name: at, content: what }) => {
    clear(join(path, at), path);
    writeFileSync(join(path, at), text(what));
  },
  link: ({ path }, { name: at, content: what }) => {
    clear(join(path, at), path);
    symlinkSync(`target ${what}`, join(path, at));
  },
  remove: ({ path }, { name: at }) => {
    if (isInside(path, at)) rmSync(join(path, at), { recursive: true, force: true });
  },
  chmod: ({ path }, { name: at }) => {
    const file = join(path, at);
    if (isInside(path, at) && entryAt(file)?.isFile()) {
      chmodSync(file, (lstatSync(file).mode & 0o777) ^ 0o100);
    }
  },
  add: ({ path, git }, { name: at }) => {
    if (isInside(path, at) && existsOrLink(join(path, at))) git('add', '--force', '--', at);
  },
  folder: ({ path }, { name: at }) => {
    clear(join(path, at), path);
    mkdirSync(join(path, at));
  },
  rename: ({ path }, { name: at, to }) => {
    const [from, target] = [join(path, at), join(path, to)];
    if (!isInside(path, at) || !existsOrLink(from) || `${to}/`.startsWith(`${at}/`) || `${at}/`.startsWith(`${to}/`))
      return;
    clear(target, path);
    if (existsOrLink(from)) renameSync(from, target);
  },
  bytes: ({ path }, { content: what }) => writeFileSync(Buffer.concat([Buffer.from(`${path}/`), BYTES]), text(what)),
  commit: ({ git }) => {
    git('add', '-A');
    git('commit', '--quiet', '--allow-empty', '-m', 'commit');
  },
  unstage: ({ git }) => {
    git('reset', '--quiet');
  },
};

const isInside = (top: string, at: string) => {
  for (let above = dirname(join(top, at)); above.length > top.length; above = dirname(above)) {
    if (!entryAt(above)?.isDirectory()) return false;
  }
  return true;
};

const carryOut = (repository: GitRepository, all: readonly Edit[]) => {
  for (const one of all) (EDITS[one.type] as (r: GitRepository, e: Edit) => void)(repository, one);
};

/** Every file and link below the top, by name in latin1: kind, executable or not, content. */
function files(top: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (folder: Buffer, prefix: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
      const key = prefix + entry.name.toString('latin1');
      if (key === '.git') continue;
      const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
      if (entry.isDirectory()) walk(path, `${key}/`);
      else if (entry.isSymbolicLink()) found.set(key, `link ${readlinkSync(path)}`);
      else found.set(key, `${lstatSync(path).mode & 0o100 ? 'x' : '-'} ${readFileSync(path, 'latin1')}`);
    }
  };
  walk(Buffer.from(top), '');
  return found;
}

/** Ids of what is staged, and of all that a ref reaches. */
const indexBlobs = ({ git }: GitRepository) =>
  [...git('ls-files', '--stage').matchAll(/^\d{6} ([0-9a-f]{40})/gm)].map(([, id = '']) => id);
const reachable = ({ git }: GitRepository) =>
  new Set(
    git('rev-list', '--objects', '--glob=refs/stopgate/*', '--all')
      .split('\n')
      .map((line) => line.slice(0, 40)),
  );

const contentOf = (file: string) => file.replace(/^(?:link|x|-) /s, '');

async function restore(repository: GitRepository, id: string, force: boolean, undoId: string) {
  const { hardened } = repository;
  const workTree = (await findWorkTree(hardened, repository.path)) as WorkTree;
  const listed = await listKeptStates(hardened, repository.path);
  if (listed.type === 'failed') throw new Error(listed.reason);
  const found = await findKeptState(hardened, repository.path, { states: listed.states, wanted: id });
  if (found.type !== 'found') throw new Error(found.reason);
  const request = { workTree, state: found.state, isWanted: () => true, mayOverwrite: () => force };
  const planned = await planRestore(hardened, request);
  if (planned.type === 'failed') throw new Error(planned.reason);
  await using disposed = planned;
  const restored = await restoreWork(hardened, request, { planned: disposed, undoId });
  if (restored.type === 'failed' || restored.type === 'half') throw new Error(restored.reason);
  return { plan: planned.plan, emptyFolders: planned.emptyFolders };
}

const RUNS = Number(process.env.STOPGATE_PROPERTY_RUNS ?? 40);
const LIMIT_MS = RUNS * 1000;
let runs = 0;

it(
  'nothing is ever lost by a restore, and what the kept state did not change stays as it is',
  async () => {
    const deadline = performance.now() + LIMIT_MS;
    const seen = { steps: 0, refused: 0, undone: 0 };
    await fc.assert(
      fc.asyncProperty(edits(3), edits(3), edits(0), way, async (before, during, after, { force, goesBack }) => {
        // a busy machine gets fewer runs, not a failure
        if (performance.now() > deadline) return;
        runs++;
        await using repository = await gitRepository();
        carryOut(repository, before);
        repository.git('add', '-A');
        repository.git('commit', '--quiet', '--allow-empty', '-m', 'base');
        carryOut(repository, during);
        const snapshot = await snapshotWorkTree(repository.hardened, {
          folder: repository.path,
          ref: 'refs/stopgate/wip/one',
          message: 'kept',
        });
        if (snapshot.type === 'failed' || snapshot.type === 'notARepository') throw new Error(snapshot.reason);
        if (snapshot.type !== 'kept') return;
        if (goesBack) {
          repository.git('reset', '--quiet', '--hard');
          repository.git('clean', '--quiet', '-fd');
        }
        carryOut(repository, after);
        const [onDisk, staged, state] = [files(repository.path), indexBlobs(repository), repository.state()];
        const { plan } = await restore(repository, 'one', force, 'undo');
        const now = files(repository.path);
        seen.steps += plan.steps.length;
        seen.refused += plan.refused.length;
        // the index, branches and stash are the user's
        expect({ ...repository.state(), status: '' }).toEqual({ ...state, status: '' });
        // only what the plan names is different
        const touched = new Set(plan.steps.map(({ path }) => keyOf(path)));
        for (const [key, file] of onDisk) if (!touched.has(key)) expect([key, now.get(key)]).toEqual([key, file]);
        for (const key of now.keys()) if (!touched.has(key)) expect(onDisk.has(key), key).toBe(true);
        // what was there before is there now, or kept
        const kept = reachable(repository);
        const there = new Set([...now.values()].map(contentOf));
        const lost = [...onDisk.values()]
          .map(contentOf)
          .filter((one) => !there.has(one) && !kept.has(idOf(repository, one)));
        expect(lost).toEqual([]);
        expect(staged.filter((id) => !kept.has(id) && !indexBlobs(repository).includes(id))).toEqual([]);
        // what was restored is as it was kept, and the undo is exact
        for (const { path, kept: entry } of plan.steps) expect(now.has(keyOf(path)), path).toBe(entry !== undefined);
        if (plan.steps.length > 0) {
          const undone = await restore(repository, 'undo', false, 'redo');
          // a file that git ignores by now stays, and is named
          const left = undone.plan.refused.map(({ path }) => keyOf(path));
          const expected = new Map([...onDisk, ...left.map((key) => [key, now.get(key) ?? ''] as const)]);
          expect(files(repository.path)).toEqual(expected);
          seen.undone++;
        }
      }),
      { numRuns: RUNS },
    );
    process.stdout.write(`restore property: ${runs} runs, ${JSON.stringify(seen)}\n`);
    expect(seen.steps).toBeGreaterThan(10);
    expect(seen.refused).toBeGreaterThan(3);
  },
  LIMIT_MS + 60_000,
);

function idOf(repository: GitRepository, content: string): string {
  const file = join(repository.beside, 'content');
  writeFileSync(file, content, 'latin1');
  return repository.git('hash-object', '--no-filters', file).trim();
}
