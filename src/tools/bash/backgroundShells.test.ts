import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { callTool, testToolContext } from '../../testing/toolContext.ts';
import { backgroundShells } from './backgroundShells.ts';
import { bashOutputTool } from './bashOutput.ts';
import { killShellTool } from './killShell.ts';

const where = { cwd: '/', env: { PATH: process.env.PATH ?? '' } };

describe('background shells', () => {
  it('report how they ended', async () => {
    const shells = backgroundShells(spawnProcesses());
    shells.start({ command: 'echo a', ...where });
    shells.start({ command: 'exit 3', ...where });
    shells.start({ command: 'kill -9 $$', ...where });
    shells.start({ command: 'true', ...where, cwd: '/no/such' });
    for (const { id } of shells.list()) await shells.whenEnded(id);
    expect(shells.list()).toMatchObject([
      { id: 'bash_1', status: 'completed', exitCode: 0 },
      { id: 'bash_2', status: 'failed', exitCode: 3 },
      { id: 'bash_3', status: 'failed', reason: 'Killed by SIGKILL.' },
      { id: 'bash_4', status: 'failed', reason: expect.stringContaining('/no/such does not exist') },
    ]);
  });

  it('give each output once', async () => {
    const shells = backgroundShells(spawnProcesses());
    const { id } = shells.start({ command: 'echo out; echo err >&2', ...where });
    await shells.whenEnded(id);
    expect(shells.readNew(id)).toEqual({ stdout: 'out\nerr\n', stderr: '', lostCharacters: 0 });
    expect(shells.readNew(id)).toEqual({ stdout: '', stderr: '', lostCharacters: 0 });
    expect(shells.readNew('bash_9')).toBeUndefined();
  });

  it('keep the newest unread output, and count the rest', async () => {
    const shells = backgroundShells(spawnProcesses());
    const { id } = shells.start({ command: 'head -c 3000000 /dev/zero | tr "\\0" x; echo end', ...where });
    await shells.whenEnded(id);
    const read = shells.readNew(id);
    expect(read?.stdout).toMatch(/^x{199996}end\n$/);
    expect(read?.lostCharacters).toBe(2_800_004);
  });

  it('end one by one', async () => {
    const shells = backgroundShells(spawnProcesses());
    shells.start({ command: 'sleep 60', ...where });
    shells.start({ command: 'sleep 60', ...where });
    expect(await shells.stop('bash_1')).toMatchObject({ status: 'killed' });
    expect(shells.get('bash_2')).toMatchObject({ status: 'running' });
    expect(await shells.stop('bash_2')).toMatchObject({ status: 'killed' });
  });

  it('keep all they print in a file where one is wanted', async () => {
    await using folder = await tempFolder();
    const outputFolder = path.join(folder.path, 'tasks');
    const shells = backgroundShells(spawnProcesses(), { outputFolder });
    const { outputFile } = shells.start({ command: 'echo out; echo err >&2', ...where });
    await shells.whenEnded('bash_1');
    expect(outputFile).toBe(path.join(outputFolder, 'bash_1.output'));
    expect(
      readFileSync(outputFile ?? '', 'utf8')
        .split('\n')
        .sort(),
    ).toEqual(['', 'err', 'out']);
  });
});

describe('BashOutput and KillShell', () => {
  it('read and end a shell', async () => {
    await using context = await testToolContext();
    context.shells.start({ command: 'echo a; exit 2', cwd: '/', env: context.env });
    await context.shells.whenEnded('bash_1');
    const read = await callTool(bashOutputTool, { bash_id: 'bash_1' }, context);
    expect(read.outcome).toMatchObject({
      content: 'bash_1 is failed with exit code 2.\na',
      output: { status: 'failed', exitCode: 2, stdout: 'a' },
    });
    context.shells.start({ command: 'sleep 60', cwd: '/', env: context.env });
    const killed = await callTool(killShellTool, { shell_id: 'bash_2' }, context);
    expect(killed.outcome).toMatchObject({ type: 'done', content: 'Stopped bash_2: sleep 60' });
    const again = await callTool(killShellTool, { shell_id: 'bash_2' }, context);
    expect(again.outcome).toEqual({ type: 'failed', message: 'bash_2 is not running: it is killed.' });
  });

  it.each([
    [bashOutputTool, { bash_id: 'x' }],
    [killShellTool, { shell_id: 'x' }],
  ])('know no other', async (tool, input) => {
    await using context = await testToolContext();
    const { outcome } = await callTool(tool, input, context);
    expect(outcome).toEqual({ type: 'failed', message: 'There is no background command x. None was started.' });
  });
});
