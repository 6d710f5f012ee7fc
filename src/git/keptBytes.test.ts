import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../tests/support/gitRepository.ts';
import { IS_LONG, sampleOf } from '../../tests/support/testSize.ts';
import { findKeptState, listKeptStates } from './restore/keptStates.ts';
import { planRestore } from './restore/planRestore.ts';
import { restoreWork } from './restore/restoreWork.ts';
import { type Snapshot, type SnapshotRequest, snapshotWorkTree } from './snapshotWorkTree.ts';
import { findWorkTree, type WorkTree } from './workTree.ts';

const REF = 'refs/stopgate/wip/one';

async function keep(repository: GitRepository, more: Partial<SnapshotRequest> = {}): Promise<Snapshot> {
  return snapshotWorkTree(repository.hardened, { folder: repository.path, ref: REF, message: 'm', ...more });
}

interface Restoring {
  readonly id?: string;
  readonly force?: boolean;
  readonly undoId?: string;
}

async function restore(repository: GitRepository, { id = 'one', force = false, undoId = 'undo' }: Restoring = {}) {
  const { hardened, path } = repository;
  const workTree = (await findWorkTree(hardened, path)) as WorkTree;
  const listed = await listKeptStates(hardened, path);
  if (listed.type === 'failed') throw new Error(listed.reason);
  const found = await findKeptState(hardened, path, { states: listed.states, wanted: id });
  if (found.type !== 'found') throw new Error(found.reason);
  const request = { workTree, state: found.state, isWanted: () => true, mayOverwrite: () => force };
  const planned = await planRestore(hardened, request);
  if (planned.type === 'failed') throw new Error(planned.reason);
  await using disposed = planned;
  const end = await restoreWork(hardened, request, { planned: disposed, undoId });
  return { plan: planned.plan, end };
}

const bytes = ({ path }: GitRepository, name: string) => readFileSync(join(path, name), 'latin1');
const mode = ({ path }: GitRepository, name: string) => (statSync(join(path, name)).mode & 0o777).toString(8);
const commit = ({ git }: GitRepository, message = 'more') => {
  git('add', '-A');
  git('commit', '--quiet', '-m', message);
};

/** What makes git store other bytes than the file has. */
const CONVERSIONS = [
  {
    name: 'text=auto',
    attributes: '* text=auto\n',
    base: 'one\ntwo\n',
    edited: 'one\r\ntwo\nthree\r\n',
    other: 'z\r\nz\n',
  },
  {
    name: 'eol=crlf',
    attributes: '*.txt text eol=crlf\n',
    base: 'one\ntwo\n',
    edited: 'one\nthree\r\n',
    other: 'z\nz\r\n',
  },
  {
    name: 'ident',
    attributes: '*.txt ident\n',
    base: '$Id$\n',
    edited: '$Id: mine $\nx\n',
    other: '$Id: other $\ny\n',
  },
  {
    name: 'a clean filter',
    attributes: '*.txt filter=loud\n',
    base: 'one\n',
    edited: 'one secret\n',
    other: 'two secret\n',
  },
  {
    name: 'an encoding',
    attributes: '*.txt working-tree-encoding=UTF-16LE\n',
    base: 'o\0n\0',
    edited: 't\0w\0',
    other: 'x\0y\0',
  },
  {
    name: 'core.autocrlf',
    autocrlf: 'true',
    attributes: '',
    base: 'one\ntwo\n',
    edited: 'one\nthree\r\n',
    other: 'z\nz\r\n',
  },
];

/** Git itself converts one, a program the other; `npm run test:long` forces all. */
const FORCED: ReadonlySet<string> = new Set(['text=auto', 'a clean filter']);
/** One by attributes, one by configuration, one by a program. */
const SAMPLE: ReadonlySet<string> = new Set(['text=auto', 'core.autocrlf', 'a clean filter']);
const SAMPLED = sampleOf(CONVERSIONS, ({ name }) => SAMPLE.has(name));

const UNDONE = CONVERSIONS.map((one) => {
  const isForced = IS_LONG || FORCED.has(one.name);
  return { ...one, isForced, also: isForced ? 'its undo, and force and its undo' : 'its undo' };
});

async function converting({ attributes, autocrlf }: { readonly attributes: string; readonly autocrlf?: string }) {
  const repository = await gitRepository({ isTrusted: true });
  repository.git('config', 'filter.loud.clean', "tr a-z A-Z | sed 's/ SECRET//'");
  if (autocrlf) repository.git('config', 'core.autocrlf', autocrlf);
  repository.write('.gitattributes', attributes);
  return repository;
}

describe('the bytes of kept work', () => {
  it.each(UNDONE)('are those of the file with $name, also after $also', async (one) => {
    await using repository = await converting(one);
    repository.write('f.txt', Buffer.from(one.base, 'latin1'));
    commit(repository);
    repository.write('f.txt', Buffer.from(one.edited, 'latin1'));
    repository.write('new.txt', Buffer.from(one.edited, 'latin1'));
    expect(await keep(repository)).toMatchObject({ type: 'kept' });
    repository.git('checkout', '--quiet', '--', 'f.txt');
    rmSync(join(repository.path, 'new.txt'));
    const checkedOut = bytes(repository, 'f.txt');
    expect(await restore(repository)).toMatchObject({ end: { type: 'restored' } });
    expect([bytes(repository, 'f.txt'), bytes(repository, 'new.txt')]).toEqual([one.edited, one.edited]);
    await restore(repository, { id: 'undo', undoId: 'redo' });
    expect(bytes(repository, 'f.txt')).toBe(checkedOut);
    expect(existsSync(join(repository.path, 'new.txt'))).toBe(false);
    if (!one.isForced) return;
    repository.write('f.txt', Buffer.from(one.other, 'latin1'));
    expect((await restore(repository, { undoId: 'refused' })).plan.refused).toMatchObject([{ path: 'f.txt' }]);
    expect(bytes(repository, 'f.txt')).toBe(one.other);
    await restore(repository, { force: true, undoId: 'forced' });
    expect(bytes(repository, 'f.txt')).toBe(one.edited);
    await restore(repository, { id: 'forced', undoId: 'again' });
    expect(bytes(repository, 'f.txt')).toBe(one.other);
  });

  it.each(SAMPLED)('are those of a staged file with $name', async (one) => {
    await using repository = await converting(one);
    repository.write('f.txt', Buffer.from(one.edited, 'latin1'));
    repository.git('add', '-A');
    expect(await keep(repository)).toMatchObject({ type: 'kept', stagedFiles: 0 });
    repository.git('rm', '--quiet', '-f', 'f.txt');
    await restore(repository);
    expect(bytes(repository, 'f.txt')).toBe(one.edited);
  });

  it.each([
    ['line ends', 'f.txt text\n', 'one\r\n'],
    ['lines that a filter drops', 'f.txt filter=loud\n', 'one secret\n'],
  ])('are kept where git sees no change, because it converts %s', async (_name, attributes, edited) => {
    await using repository = await converting({ attributes });
    repository.write('f.txt', 'one\n');
    commit(repository);
    repository.write('f.txt', edited);
    repository.git('add', 'f.txt');
    expect(repository.git('status', '--porcelain')).toBe('');
    const made = await keep(repository);
    expect(made).toMatchObject({ type: 'kept', changedFiles: 1 });
    expect(made.type === 'kept' && made.notes).toEqual([expect.stringContaining('only in what git converts')]);
    rmSync(join(repository.path, 'f.txt'));
    repository.git('checkout', '--quiet', '--', 'f.txt');
    await restore(repository);
    expect(bytes(repository, 'f.txt')).toBe(edited);
  });

  it.each(SAMPLED)('are nothing to keep in a fresh checkout with $name', async (one) => {
    await using repository = await converting(one);
    repository.git('config', 'filter.loud.clean', 'tr a-z A-Z');
    repository.git('config', 'filter.loud.smudge', 'tr A-Z a-z');
    repository.write('f.txt', Buffer.from(one.base, 'latin1'));
    repository.write('binary.txt', Buffer.from([1, 0, 13, 10, 0, 0, 0, 0]));
    commit(repository);
    rmSync(join(repository.path, 'f.txt'));
    repository.git('checkout', '--quiet', '--', '.');
    expect(await keep(repository)).toMatchObject({ type: 'nothingToKeep', notes: [] });
  });

  it('of an unchanged file that Git LFS stores are not copied', async () => {
    await using repository = await converting({ attributes: '*.txt filter=lfs\n' });
    repository.git('config', 'filter.lfs.clean', 'sha256sum');
    repository.git('config', 'filter.lfs.smudge', 'exit 1');
    repository.write('f.txt', 'large\n');
    commit(repository);
    expect(await keep(repository)).toMatchObject({ type: 'nothingToKeep' });
  });
});

describe('files that were tracked', () => {
  it('are kept and not restored away when they are ignored now', async () => {
    await using repository = await gitRepository({ isTrusted: true });
    repository.write('kept.txt', 'AGENTS-WORK\n');
    repository.git('rm', '--quiet', '--cached', 'kept.txt');
    repository.write('.gitignore', 'ignored/\nkept.txt\n');
    expect(await keep(repository)).toMatchObject({ type: 'kept' });
    expect(repository.git('show', `${REF}:kept.txt`)).toBe('AGENTS-WORK\n');
    repository.write('kept.txt', 'LATER-WORK\n');
    const { plan } = await restore(repository);
    expect(plan.refused).toMatchObject([{ path: 'kept.txt' }]);
    expect(bytes(repository, 'kept.txt')).toBe('LATER-WORK\n');
    await restore(repository, { force: true, undoId: 'forced' });
    expect(bytes(repository, 'kept.txt')).toBe('AGENTS-WORK\n');
    expect(repository.git('show', 'refs/stopgate/wip/forced:kept.txt')).toBe('LATER-WORK\n');
  });

  it('are kept when the agent committed that they are ignored', async () => {
    await using repository = await gitRepository({ isTrusted: true });
    const start = repository.git('rev-parse', 'HEAD').trim();
    repository.git('rm', '--quiet', '--cached', 'kept.txt', 'folder/other.txt');
    repository.write('.gitignore', 'ignored/\nkept.txt\nfolder/\n');
    commit(repository);
    repository.write('kept.txt', 'AGENTS-WORK\n');
    rmSync(join(repository.path, 'folder/other.txt'));
    repository.write('folder/never-tracked.txt', 'x\n');
    expect(await keep(repository)).toMatchObject({ type: 'nothingToKeep' });
    expect(await keep(repository, { start })).toMatchObject({ type: 'kept', changedFiles: 1 });
    expect(repository.git('show', `${REF}:kept.txt`)).toBe('AGENTS-WORK\n');
    rmSync(join(repository.path, 'kept.txt'));
    await restore(repository);
    expect(bytes(repository, 'kept.txt')).toBe('AGENTS-WORK\n');
  });

  it('are deleted where a folder or a link to one has their name', async () => {
    await using repository = await gitRepository({ isTrusted: true });
    rmSync(join(repository.path, 'kept.txt'));
    repository.write('kept.txt/inside', 'x');
    rmSync(join(repository.path, 'folder'), { recursive: true });
    writeFileSync(join(repository.beside, 'other.txt'), 'elsewhere');
    const { symlinkSync } = await import('node:fs');
    symlinkSync(repository.beside, join(repository.path, 'folder'));
    expect(await keep(repository)).toMatchObject({ type: 'kept' });
    expect(repository.git('ls-tree', '-r', '--name-only', REF)).toBe('.gitignore\nfolder\nkept.txt/inside\n');
  });
});

describe('the permissions of kept work', () => {
  it('come back: secret files stay secret, programs can be run', async () => {
    await using repository = await gitRepository({ isTrusted: true });
    const modes: Readonly<Record<string, number>> = { secret: 0o600, shared: 0o664, 'tool.sh': 0o750, plain: 0o644 };
    for (const [name, one] of Object.entries(modes)) chmodSync(repository.write(name, name), one);
    chmodSync(repository.write('kept.txt', 'changed\n'), 0o640);
    await keep(repository);
    for (const name of Object.keys(modes)) rmSync(join(repository.path, name));
    repository.git('checkout', '--quiet', '--', 'kept.txt');
    await restore(repository);
    const now = Object.fromEntries(Object.keys(modes).map((name) => [name, mode(repository, name)]));
    expect(now).toEqual({ secret: '600', shared: '664', 'tool.sh': '750', plain: '644' });
    expect(mode(repository, 'kept.txt')).toBe('640');
    await restore(repository, { id: 'undo', undoId: 'redo' });
    expect(mode(repository, 'kept.txt')).toBe('644');
    await restore(repository, { id: 'redo', undoId: 'last' });
    expect(mode(repository, 'secret')).toBe('600');
  });

  it('never open a file that was closed since', async () => {
    await using repository = await gitRepository({ isTrusted: true });
    repository.write('kept.txt', 'changed\n');
    await keep(repository);
    repository.git('checkout', '--quiet', '--', 'kept.txt');
    chmodSync(join(repository.path, 'kept.txt'), 0o600);
    await restore(repository);
    expect([bytes(repository, 'kept.txt'), mode(repository, 'kept.txt')]).toEqual(['changed\n', '600']);
  });
});

it('names pipes, sockets and devices as left out, but not ignored ones', async () => {
  await using repository = await gitRepository({ isTrusted: true });
  repository.write('new/file.txt', 'x');
  repository.write('ignored/file.txt', 'x');
  for (const name of ['pipe', 'folder/pipe', 'new/pipe', 'ignored/pipe']) {
    execFileSync('mkfifo', [join(repository.path, name)]);
  }
  const made = await keep(repository);
  expect(made.type === 'kept' && made.leftOut).toEqual(
    ['folder/pipe', 'new/pipe', 'pipe'].map((path) => ({ path, reason: 'a named pipe, not a file', isEmpty: true })),
  );
  await restore(repository);
  expect(lstatSync(join(repository.path, 'pipe')).isFIFO()).toBe(true);
});
