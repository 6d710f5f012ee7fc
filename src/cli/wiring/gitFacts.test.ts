import { describe, expect, it } from 'vitest';
import { gitRepository } from '../../../tests/support/gitRepository.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import type { World } from '../../system/world.ts';
import { branchName, gitFacts } from './gitFacts.ts';

describe('git facts of a session', () => {
  it('is branch, changes and last commits; nothing outside a repository', async () => {
    await using repository = await gitRepository();
    for (let file = 0; file < 45; file++) repository.write(`new-${file}.txt`, 'x');
    const world = { cwd: repository.path, env: repository.env, processes: spawnProcesses() } as World;
    const { isRepository, status } = await gitFacts(world);
    expect(isRepository).toBe(true);
    expect(status).toMatch(/Branch: main\nChanged:\n\?\? new-0\.txt\n/);
    expect(status).toMatch(/… and 5 more\nLast commits:\n[0-9a-f]+ first$/);
    expect(await gitFacts({ ...world, cwd: repository.beside })).toEqual({
      isRepository: false,
      branch: '',
      status: '',
    });
  });

  it.each([
    ['## main', 'main'],
    ['## feature/x...origin/feature/x [ahead 1]', 'feature/x'],
    ['## No commits yet on main', 'main'],
    ['## HEAD (no branch)', 'HEAD'],
    ['', ''],
  ])('%s: the branch is %j', (line, expected) => {
    expect(branchName(line)).toBe(expected);
  });
});
