import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../../tests/support/gitRepository.ts';
import { treeDigest } from '../../git/treeDigest.ts';
import type { Reading } from '../../git/treeStates.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { checksMemory } from '../checks/memory.ts';
import type { CheckedState } from '../checks/types.ts';
import { treeState } from '../frozen/protectedFiles.ts';
import { rememberedFacts, wereUntouched } from './rememberedFacts.ts';

async function stateOf({ hardened, path, beside }: GitRepository): Promise<CheckedState> {
  const readings: Reading[] = [];
  const onReading = (reading: Reading) => void readings.push(reading);
  const found = await treeDigest(hardened, { folder: path, mirrors: join(beside, 'mirrors'), onReading });
  if (found.type === 'failed') return expect.unreachable(found.reason);
  const { digest, surroundings, head } = found;
  return {
    ...{ files: digest, key: `${digest}-${surroundings}`, problem: null, isRough: false, head },
    tree: treeState(found),
    reading: readings[0],
  };
}

/** The facts of a stop, and how many diffs they took. */
async function facts({ path, beside, env, git }: GitRepository, state: CheckedState, isNew = false) {
  const processes = spawnProcesses({ env });
  let diffs = 0;
  const start: typeof processes.start = (spec) => {
    if (spec.args.includes('diff')) diffs++;
    return processes.start(spec);
  };
  const place = { folder: path, startCommit: git('rev-parse', 'HEAD').trim(), processes: { ...processes, start }, env };
  const memory = checksMemory({ stopgateHome: beside, folder: path, sessionId: 's' });
  const found = await rememberedFacts({ ...place, isNew }, memory)(state);
  return { found, diffs };
}

/** Change times are compared with the time at which a reading begins. */
const LATER_MS = 20;

describe.concurrent('the facts about a state that was seen before', () => {
  it('are not taken again', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'changed\n');
    repository.write('folder/new.txt', 'x');
    await setTimeout(LATER_MS);
    const state = await stateOf(repository);
    const first = await facts(repository, state, true);
    expect(first).toMatchObject({ found: { files: ['folder/new.txt', 'kept.txt'], fileCount: 2 }, diffs: 1 });
    expect(await facts(repository, await stateOf(repository))).toEqual({ found: first.found, diffs: 0 });
    // a state of which no pass may be remembered
    expect(await facts(repository, { ...state, key: null })).toEqual({ found: first.found, diffs: 1 });
    repository.write('kept.txt', 'changed more\n');
    const later = await facts(repository, await stateOf(repository));
    expect(later.diffs).toBe(1);
    expect(later.found.diffSha256).not.toBe(first.found.diffSha256);
  });

  it('are taken again when what is staged, the attributes or the configuration are others', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'changed\n');
    await setTimeout(LATER_MS);
    await facts(repository, await stateOf(repository));
    for (const act of [
      () => repository.git('rm', '--quiet', '--cached', 'folder/other.txt'),
      () => repository.git('config', 'diff.context', '1'),
      () => repository.write('.git/info/attributes', '* -diff\n'),
    ]) {
      act();
      expect((await facts(repository, await stateOf(repository))).diffs).toBe(1);
    }
  });

  const TOUCHES: readonly (readonly [string, (repository: GitRepository) => void])[] = [
    ['a file is written as it is', ({ write }) => write('folder/other.txt', 'changed\n')],
    [
      'a folder is exchanged and put back',
      ({ path }) => {
        renameSync(join(path, 'folder'), join(path, 'away'));
        mkdirSync(join(path, 'folder'));
        rmSync(join(path, 'folder'), { recursive: true });
        renameSync(join(path, 'away'), join(path, 'folder'));
      },
    ],
    ['attributes are there for a short time', ({ write }) => rmSync(write('folder/.gitattributes', '* -diff\n'))],
    ['the attributes of the repository are', ({ write }) => rmSync(write('.git/info/attributes', '* -diff\n'))],
    ['the index is written', ({ git }) => git('update-index', '--assume-unchanged', 'kept.txt')],
    [
      'the configuration is changed and restored',
      ({ git }) => {
        git('config', 'diff.context', '1');
        git('config', '--unset', 'diff.context');
      },
    ],
    ['a deleted file was there for a short time', ({ write }) => rmSync(write('kept.txt', 'x'))],
  ];

  it.for(TOUCHES)('are not remembered when %s while they are read', async ([, touch]) => {
    await using repository = await gitRepository();
    repository.write('folder/other.txt', 'changed\n');
    rmSync(join(repository.path, 'kept.txt'));
    await setTimeout(LATER_MS);
    const state = await stateOf(repository);
    const inDiff = ['folder/other.txt', 'kept.txt'];
    expect(wereUntouched(inDiff, state)).toBe(true);
    touch(repository);
    expect(wereUntouched(inDiff, state)).toBe(false);
    await facts(repository, state);
    expect((await facts(repository, state)).diffs).toBe(1);
  });
});
