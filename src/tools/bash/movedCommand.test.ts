import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { fakeClock } from '../../testing/fakeClock.ts';
import { callTool, testToolContext } from '../../testing/toolContext.ts';
import type { ToolContext } from '../toolContext.ts';
import { backgroundShells } from './backgroundShells.ts';
import { bashTool } from './bash.ts';
import { mayMove } from './bashOutcome.ts';

/** Runs until a file `go` is there. */
const waiting = (after: string) => `echo begun; echo odd >&2; until [ -e go ]; do sleep 0.05; done; ${after}`;

async function moved(context: ToolContext, command: string, more: object = {}) {
  const { outcome } = await callTool(bashTool, { command, timeout: 400, description: 'd', ...more }, context);
  if (outcome.type !== 'done') return expect.unreachable(outcome.message);
  return { output: outcome.output as Record<string, unknown>, content: outcome.content as string };
}

async function ended(context: ToolContext, owner?: string) {
  await expect.poll(() => context.background.hasEnded(owner)).toBe(true);
  return context.background.takeEnded(owner);
}

describe('a command that outlives its timeout', () => {
  it('goes on in the background with all it prints, and its end is reported', async () => {
    await using context = await testToolContext();
    const folder = context.directory.projectDir;
    const shells = backgroundShells(context.processes, { outputFolder: join(folder, 'out') });
    const { output, content } = await moved({ ...context, shells }, waiting('pwd > here; echo over; exit 3'));
    expect(output).toEqual({
      stdout: 'begun\nodd',
      stderr: '',
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
      backgroundTaskId: 'bash_1',
      timedOutAfterMs: 400,
    });
    expect(content).toMatch(/^begun\nodd\nThe command did not end within its timeout of 400ms and was moved to the/);
    expect(context.background.running()).toMatchObject([{ id: 'bash_1', type: 'shell', description: 'd' }]);
    await writeFile(join(folder, 'go'), '');
    const [end] = await ended(context);
    expect(end).toMatchObject({ status: 'failed', summary: 'Background command "d" failed with exit code 3' });
    expect(shells.readNew('bash_1')).toEqual({ stdout: 'over\n', stderr: '', lostCharacters: 0 });
    expect(await readFile(join(folder, 'out/bash_1.output'), 'utf8')).toBe('begun\nodd\nover\n');
    expect(existsSync(join(folder, 'here'))).toBe(true);
  });

  it('does not move later commands, and reports it', async () => {
    await using context = await testToolContext();
    const { projectDir } = context.directory;
    await mkdir(join(projectDir, 'sub'));
    const { output, content } = await moved(context, 'cd sub; until [ -e ../go ]; do sleep 0.05; done');
    expect(output.backgroundCwdHint).toContain(`start in ${projectDir};`);
    expect(content).toContain(String(output.backgroundCwdHint));
    await writeFile(join(projectDir, 'go'), '');
    expect(await ended(context)).toMatchObject([{ status: 'completed' }]);
    expect(context.directory.current()).toBe(projectDir);
  });

  it('is ended by KillShell, and by the session', async () => {
    await using context = await testToolContext();
    await moved(context, waiting(''));
    expect(await context.shells.stop('bash_1')).toMatchObject({ status: 'killed' });
    await moved(context, waiting(''));
    context.background.stopAll();
    await expect.poll(() => context.background.running()).toEqual([]);
    expect(context.background.takeEnded()).toEqual([]);
  });

  it('is not ended with the call that started it', async () => {
    const call = new AbortController();
    await using context = await testToolContext({ signal: call.signal });
    await moved(context, waiting('true'));
    call.abort();
    await writeFile(join(context.directory.projectDir, 'go'), '');
    expect(await ended(context)).toMatchObject([{ status: 'completed' }]);
  });

  it('is ended with the subagent that started it', async () => {
    await using context = await testToolContext({ agentId: 'a' });
    const { output, content } = await moved(context, waiting(''));
    expect(output.backgroundEndsWithFinalResponse).toBe(true);
    expect(content).toContain('stopped at your final answer');
    context.background.adopt('a');
    await expect.poll(() => context.shells.get('bash_1')?.status).toBe('killed');
    expect([...context.background.takeEnded(), ...context.background.takeEnded('a')]).toEqual([]);
  });

  it('is ended when it still runs after ten minutes', async () => {
    const clock = fakeClock();
    const processes = spawnProcesses();
    const shells = backgroundShells(processes, { clock });
    const stop = new AbortController();
    const running = processes.start({
      file: '/bin/sleep',
      args: ['60'],
      cwd: '/',
      env: {},
      maxOutputBytes: 0,
      signal: stop.signal,
    });
    shells.adopt({ command: 'x', ended: running.ended, stop, before: '', follow: () => {} });
    await clock.advance(600_000);
    expect(await shells.whenEnded('bash_1')).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('stopped 10m after'),
    });
  });
});

it.each([
  ['npm test', {}, true],
  ['sleep 5', {}, false],
  [' sleep 5 && echo x', {}, false],
  ['sleepy', {}, true],
  ['npm test', { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' }, false],
  ['npm test', { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '0' }, true],
])('%s with %j may go on in the background: %s', (command, env, expected) => {
  expect(mayMove(command, env as Record<string, string>)).toBe(expected);
});
