import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../tests/support/gitRepository.ts';
import { type Snapshot, snapshotWorkTree } from './snapshotWorkTree.ts';

const OTHER_UID = 65_534;
const REF = 'refs/stopgate/wip/one';
/** Root can read and write everything, so these run as another user. */
const isRoot = process.getuid?.() === 0;
const canStepDown = !isRoot || existsSync('/usr/bin/setpriv');

function giveAway(path: string): void {
  if (!isRoot) return;
  chownSync(path, OTHER_UID, OTHER_UID);
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }))
    chownSync(join(path, name), OTHER_UID, OTHER_UID);
}

/** One snapshot in a process of its own, by a user to whom modes mean something. */
function takeAsUser({ path, beside, env }: GitRepository): Snapshot {
  giveAway(join(path, '..'));
  // the folder of this run of the tests is root's alone
  if (isRoot) chmodSync(join(path, '../..'), 0o711);
  const script = `
    const { openGit } = await import(${JSON.stringify(join(import.meta.dirname, 'git.ts'))});
    const { spawnProcesses } = await import(${JSON.stringify(join(import.meta.dirname, '../system/spawnProcesses.ts'))});
    const { snapshotWorkTree } = await import(${JSON.stringify(join(import.meta.dirname, 'snapshotWorkTree.ts'))});
    const git = openGit({ processes: spawnProcesses(), env: { ...process.env } });
    console.log(JSON.stringify(await snapshotWorkTree(git, ${JSON.stringify({ folder: path, ref: REF, message: 'm' })})));`;
  const node = [process.execPath, '--input-type=module', '-e', script];
  const stepDown = ['setpriv', `--reuid=${OTHER_UID}`, `--regid=${OTHER_UID}`, '--clear-groups'];
  const [file = '', ...args] = isRoot ? [...stepDown, ...node] : node;
  return JSON.parse(execFileSync(file, args, { cwd: beside, env: { ...env }, encoding: 'utf8' }));
}

describe.skipIf(!canStepDown)('what may not be read or written', () => {
  it('is left out and named; the rest is kept', async () => {
    await using repository = await gitRepository();
    chmodSync(repository.write('closed.txt', 'x'), 0o000);
    repository.write('closed/file.txt', 'x');
    chmodSync(join(repository.path, 'closed'), 0o000);
    repository.write('kept.txt', 'second\n');
    expect(takeAsUser(repository)).toMatchObject({
      type: 'kept',
      changedFiles: 1,
      leftOut: [
        { path: 'closed.txt', reason: 'it may not be read' },
        { path: 'closed/', reason: 'a folder that may not be read' },
      ],
    });
    chmodSync(join(repository.path, 'closed'), 0o755);
  });

  it('is reported when it is the repository', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'second\n');
    const objects = join(repository.path, '.git/objects');
    const folders = [objects, ...readdirSync(objects).map((name) => join(objects, name))];
    for (const folder of folders) chmodSync(folder, 0o555);
    const made = takeAsUser(repository);
    for (const folder of folders) chmodSync(folder, 0o755);
    expect(made).toMatchObject({ type: 'failed', reason: expect.stringMatching(/^git .* may not write .*objects\.$/) });
  });

  it('does not matter when it is only the worktree that is read-only', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'second\n');
    chmodSync(join(repository.path, 'folder'), 0o555);
    chmodSync(repository.path, 0o555);
    const made = takeAsUser(repository);
    chmodSync(repository.path, 0o755);
    expect(made).toMatchObject({ type: 'kept', changedFiles: 1 });
  });
});

describe.skipIf(!isRoot)('a repository of another user', () => {
  it('is not used, and the message has the fix', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'second\n');
    giveAway(repository.path);
    const made = await snapshotWorkTree(repository.hardened, { folder: repository.path, ref: REF, message: 'm' });
    expect(made).toEqual({
      type: 'failed',
      reason: `Git does not use ${repository.path} because another user owns it; if you trust it: git config --global --add safe.directory '${repository.path}'`,
    });
  });
});
