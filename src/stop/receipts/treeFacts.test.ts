import { createHash } from 'node:crypto';
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../../tests/support/gitRepository.ts';
import { treeDigest } from '../../git/treeDigest.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { treeState } from '../frozen/protectedFiles.ts';
import { beginTreeFacts } from './treeFacts.ts';

async function factsOf({ hardened, path, beside, env, git }: GitRepository) {
  const found = await treeDigest(hardened, { folder: path, mirrors: join(beside, 'mirrors') });
  if (found.type === 'failed') return expect.unreachable(found.reason);
  const { digest, head } = found;
  const place = { folder: path, startCommit: git('rev-parse', 'HEAD').trim(), processes: spawnProcesses({ env }), env };
  const state = { files: digest, key: null, problem: null, isRough: false, head, tree: treeState(found) };
  return (await beginTreeFacts(place)(state)).facts;
}

const YESTERDAY = Math.floor(Date.now() / 1_000) - 86_400;
const EMPTY = createHash('sha256').digest('hex');

const WAYS: readonly (readonly [string, (repository: GitRepository) => void])[] = [
  ['is marked assume-unchanged', ({ git }) => void git('update-index', '--assume-unchanged', 'kept.txt')],
  ['is marked skip-worktree', ({ git }) => void git('update-index', '--skip-worktree', 'kept.txt')],
  [
    'has both marks',
    ({ git }) => {
      git('update-index', '--assume-unchanged', 'kept.txt');
      git('update-index', '--skip-worktree', 'kept.txt');
    },
  ],
  [
    'gets its old time and size back, beside a configuration that says not to look further',
    ({ git, path }) => {
      utimesSync(join(path, 'kept.txt'), YESTERDAY, YESTERDAY);
      git('config', 'core.trustctime', 'false');
      git('config', 'core.checkStat', 'minimal');
      git('update-index', '--refresh');
    },
  ],
];

describe.concurrent('the diff of a receipt', () => {
  it.each(WAYS)('has a changed file that %s', async (_, act) => {
    await using repository = await gitRepository();
    const file = join(repository.path, 'kept.txt');
    act(repository);
    const index = readFileSync(join(repository.path, '.git/index'));
    writeFileSync(file, 'x'.repeat(statSync(file).size));
    utimesSync(file, YESTERDAY, YESTERDAY);
    const { diffSha256, files } = await factsOf(repository);
    expect(files).toContain('kept.txt');
    expect(diffSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(diffSha256).not.toBe(EMPTY);
    expect(readFileSync(join(repository.path, '.git/index'))).toEqual(index);
  });

  it('is the same with and without a mark, and whatever is configured', async () => {
    await using repository = await gitRepository();
    const { git, write } = repository;
    write('kept.txt', 'first\r\n\n\nsecond\n');
    write('folder/other.txt', 'changed\n');
    const { diffSha256 } = await factsOf(repository);
    git('update-index', '--assume-unchanged', 'kept.txt');
    expect((await factsOf(repository)).diffSha256).toBe(diffSha256);
    for (const [key, value] of CONFIGURED) {
      git('config', key, value);
      expect((await factsOf(repository)).diffSha256, key).toBe(diffSha256);
    }
  });
});

const CONFIGURED = [
  ['diff.context', '0'],
  ['diff.interHunkContext', '9'],
  ['diff.noprefix', 'true'],
  ['diff.mnemonicPrefix', 'true'],
  ['diff.srcPrefix', 'x/'],
  ['diff.suppressBlankEmpty', 'true'],
  ['diff.algorithm', 'patience'],
  ['diff.indentHeuristic', 'false'],
  ['diff.orderFile', 'kept.txt'],
  ['core.autocrlf', 'input'],
] as const;
