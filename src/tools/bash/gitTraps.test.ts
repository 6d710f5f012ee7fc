import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TrapRepository, trapRepository } from '../../../tests/support/trapRepository.ts';
import { isReadOnlyCommand } from '../../permissions/shell/readOnlyCommand.ts';
import { callTool, freeDirectory, testToolContext } from '../../testing/toolContext.ts';
import type { ToolContext } from '../toolContext.ts';
import { bashTool } from './bash.ts';

/** What a model may run with no rule. */
const READING = [
  'git status',
  'git status -v -v',
  'git status --ignore-submodules=none',
  'git diff',
  'git diff HEAD~1',
  'git diff --cached',
  'git diff --stat',
  'git diff main side',
  'git log -5',
  'git log -p -5',
  'git log --remerge-diff -5',
  'git log --alternate-refs -2',
  'git show',
  'git show HEAD:file.conv',
  'git show HEAD~1',
  'git blame file.conv',
  'git blame file.trap',
  'git ls-files',
  'git ls-files -m',
  'git rev-parse HEAD',
  'git branch -vv',
  'git remote -v',
  'git tag',
  'git stash list',
  'git --no-pager log -1',
  'git status | head -3',
  'cd module && git status && git diff',
  'cd folder && git diff',
];

describe('git commands that need no rule, in a repository full of traps', () => {
  it('run none of its programs, and still answer', async () => {
    await using repository = await trapRepository();
    const failed: string[] = [];
    for (const command of READING) {
      await using context = await contextIn(repository);
      const { outcome } = await callTool(bashTool, { command }, context);
      if (outcome.type === 'failed') failed.push(`${command}: ${outcome.message}`);
      expect([command, repository.sprung()]).toEqual([command, []]);
    }
    expect(failed).toEqual([]);
  });

  it('show what changed although the repository names another program for that', async () => {
    await using repository = await trapRepository();
    await using context = await contextIn(repository);
    const { outcome } = await callTool(bashTool, { command: 'git diff -- file.trap' }, context);
    expect(outcome).toMatchObject({ content: expect.stringContaining('+changed trap') });
  });

  it('run its programs where the user trusts the project', async () => {
    await using repository = await trapRepository();
    await using context = await contextIn(repository, { repositoryPrograms: 'run' });
    await callTool(bashTool, { command: 'git diff' }, context);
    expect(repository.sprung()).toContain('diff-external');
  });

  it('are refused where the configuration cannot be read, or names other files', async () => {
    await using repository = await trapRepository();
    await using context = await contextIn(repository);
    const refusal = async () => (await callTool(bashTool, { command: 'git status' }, context)).outcome;
    repository.git('config', 'core.worktree', repository.beside);
    expect(await refusal()).toMatchObject({ message: expect.stringContaining('another folder') });
    repository.git('config', '--unset', 'core.worktree');
    const pipe = join(repository.beside, 'pipe');
    execFileSync('mkfifo', [pipe]);
    repository.git('config', 'include.path', pipe);
    expect(await refusal()).toMatchObject({ message: expect.stringContaining('did not end in time') });
  });

  it('are those that the reader of command lines lets through', () => {
    expect(READING.filter((command) => !command.startsWith('cd') && !isReadOnlyCommand(command))).toEqual([]);
  });
});

const contextIn = ({ path, env }: TrapRepository, more: Partial<ToolContext> = {}) =>
  testToolContext({ directory: freeDirectory(path), env, ...more });
