import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../tests/support/gitRepository.ts';
import { spawnProcesses } from '../system/spawnProcesses.ts';
import { openGit } from './git.ts';
import { treeDigest } from './treeDigest.ts';

async function digest({ path, beside, hardened }: Pick<GitRepository, 'path' | 'beside' | 'hardened'>) {
  const made = await treeDigest(hardened, { folder: path, mirrors: join(beside, 'mirrors') });
  return made.type === 'digest' ? made.digest : expect.unreachable(made.reason);
}

/** Times are compared by the second. */
const SETTLED_MS = 1_050;
const EARLY_MS = { from: 20, to: 200 };

/** Three times, because the two writes do not always meet the same second. */
it.each([1, 2, 3])('a file that is written while it is recorded as equal is a change later (%i)', async () => {
  await using repository = await gitRepository();
  const file = join(repository.path, 'kept.txt');
  await setTimeout(SETTLED_MS);
  const processes = spawnProcesses({ env: repository.env });
  let hasWritten = false;
  /** As a process that watches the mirror: it writes the same content before git looks, and other content after. */
  const start: typeof processes.start = (spec) => {
    if (hasWritten && spec.args.includes('diff-index')) writeFileSync(file, 'EVIL!\n');
    if (!spec.args.includes('update-index') || !spec.args.includes('--stdin')) {
      return processes.start(spec);
    }
    // early in a second, so that both writes are in the same one
    while (Date.now() % 1_000 < EARLY_MS.from || Date.now() % 1_000 > EARLY_MS.to);
    writeFileSync(file, 'first\n');
    hasWritten = true;
    return processes.start(spec);
  };
  const hardened = openGit({ processes: { ...processes, start }, env: repository.env, repositoryPrograms: 'off' });
  const before = await digest({ ...repository, hardened });
  await setTimeout(SETTLED_MS);
  expect(readFileSync(file, 'utf8')).toBe('EVIL!\n');
  await digest(repository);
  expect(await digest(repository)).not.toBe(before);
});
