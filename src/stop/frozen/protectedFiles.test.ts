import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../../tests/support/gitRepository.ts';
import { treeDigest } from '../../git/treeDigest.ts';
import { protectedChanges, protectedStart, treeState } from './protectedFiles.ts';

const PROTECT = ['test/**'];

async function stateNow({ hardened, path, beside }: GitRepository) {
  const state = treeState(await treeDigest(hardened, { folder: path, mirrors: join(beside, 'mirrors') }));
  return typeof state === 'string' ? expect.unreachable(state) : state;
}

async function begin() {
  const repository = await gitRepository();
  repository.write('test/a.js', 'one\n');
  repository.write('test/b.js', 'two\n');
  repository.git('add', '-A');
  repository.git('commit', '--quiet', '-m', 'tests');
  // differs from HEAD when the session begins
  repository.write('test/b.js', 'two, edited by a person\n');
  const start = protectedStart(PROTECT, repository.path, await stateNow(repository));
  const changes = async () => {
    const tree = await stateNow(repository);
    return protectedChanges(start, { protect: PROTECT, folder: repository.path, tree, git: repository.hardened });
  };
  const commit = () => {
    repository.git('add', '-A');
    repository.git('commit', '--quiet', '-m', 'work');
  };
  return { ...repository, changes, commit };
}

interface Case {
  readonly name: string;
  readonly act: (session: Awaited<ReturnType<typeof begin>>) => void;
  readonly found: readonly (readonly [path: string, how: string])[];
}

const CASES: readonly Case[] = [
  { name: 'nothing happened', act: () => {}, found: [] },
  { name: 'another file changed', act: ({ write }) => write('kept.txt', 'x\n'), found: [] },
  {
    name: 'other work was committed',
    act: ({ write, git }) => {
      write('kept.txt', 'x\n');
      git('commit', '--quiet', '-m', 'work', 'kept.txt');
    },
    found: [],
  },
  { name: 'a file that differed before was committed as it is', act: ({ commit }) => commit(), found: [] },
  { name: 'one was edited', act: ({ write }) => write('test/a.js', 'x\n'), found: [['test/a.js', 'edited']] },
  {
    name: 'one was edited and committed',
    act: ({ write, commit }) => {
      write('test/a.js', 'x\n');
      commit();
    },
    found: [['test/a.js', 'edited']],
  },
  {
    name: 'one was set back to HEAD, from which it differed',
    act: ({ git }) => git('checkout', '--', 'test/b.js'),
    found: [['test/b.js', 'edited']],
  },
  {
    name: 'one was deleted and committed',
    act: ({ path, commit }) => {
      rmSync(join(path, 'test/a.js'));
      commit();
    },
    found: [['test/a.js', 'deleted']],
  },
  { name: 'one was added', act: ({ write }) => write('test/c.js', 'x\n'), found: [['test/c.js', 'created']] },
];

it('names the modes of one whose content is as it was', async () => {
  await using session = await begin();
  chmodSync(join(session.path, 'test/a.js'), 0o755);
  const diff = 'test/a.js: old mode 100644, new mode 100755';
  expect(await session.changes()).toEqual([{ path: 'test/a.js', how: 'edited', diff }]);
});

describe.concurrent('protected files', () => {
  it.each(CASES)('$name', async ({ act, found }) => {
    await using session = await begin();
    act(session);
    const changes = await session.changes();
    expect(typeof changes === 'string' ? changes : changes.map(({ path, how }) => [path, how])).toEqual(found);
  });

  it('cannot be compared when the tree of the first commit was exchanged for the later one', async () => {
    await using session = await begin();
    const { git, write, commit, path } = session;
    const fileOf = (object: string) => join(path, '.git/objects', object.slice(0, 2), object.slice(2));
    const before = git('rev-parse', 'HEAD:test').trim();
    write('test/a.js', 'x\n');
    commit();
    const after = git('rev-parse', 'HEAD:test').trim();
    const exchanged = inflateSync(readFileSync(fileOf(after)));
    rmSync(fileOf(before));
    writeFileSync(fileOf(before), deflateSync(exchanged));
    expect(await session.changes()).toMatch(/the files of commit \w+ are not those that it had before/);
  });
});
