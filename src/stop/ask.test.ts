import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../system/clock.ts';
import { tempFolder } from '../testing/tempFolder.ts';
import { askStop, beginSession } from './ask.ts';
import type { GateEnding } from './ending.ts';
import type { ArmedStart } from './sinceStart.ts';
import type { StopWorld } from './world.ts';

/** A project whose gate fails inside: nothing that a check prints. */
async function broken(checks: readonly string[]) {
  const folder = await tempFolder();
  const project = path.join(folder.path, 'project');
  mkdirSync(project);
  execFileSync('git', ['init', '-q'], { cwd: project });
  const file = path.join(project, 'stopgate.config.json');
  writeFileSync(file, '{"checks":[{"name":"test","command":"true","when":"always"}]}');
  const start: ArmedStart = { file, checks, configured: [] };
  const endings: GateEnding[] = [];
  const world: StopWorld = {
    env: { PATH: process.env.PATH ?? '', CLAUDE_PROJECT_DIR: project },
    stopgateHome: path.join(folder.path, 'home'),
    clock: systemClock,
    asker: {
      name: 'test',
      demand: async () => {
        throw new Error('the transcript is gone');
      },
    },
    hostPid: null,
    trusted: true,
    start,
    onEnding: (ending) => endings.push(ending),
    deadlineAt: systemClock.now() + 60_000,
    signal: new AbortController().signal,
  };
  if (checks.length > 0) await beginSession({ session_id: 's', cwd: project, source: 'startup' }, world);
  const stop = (active: boolean) => askStop({ session_id: 's', cwd: project, stop_hook_active: active }, world);
  return { folder, stop, endings };
}

it('blocks when a gate that was armed fails inside, and lets it stop after some times', async () => {
  const { folder, stop, endings } = await broken(['test']);
  await using _ = folder;
  for (let times = 1; times <= 3; times++) {
    const answer = await stop(times > 1);
    expect(answer, `stop ${times}`).toMatchObject({
      type: 'block',
      reason: expect.stringContaining('the checks gave no verdict (error (the transcript is gone))'),
    });
  }
  const last = await stop(true);
  expect(last.type).toBe('pass');
  expect(last.notes.join(' ')).toContain('no verdict 4 times in a row');
  expect(endings.map(({ type }) => type)).toEqual(['error', 'error', 'error', 'error']);
});

it('lets a stop through whose gate fails and was not armed, and says so', async () => {
  const { folder, stop } = await broken([]);
  await using _ = folder;
  const answer = await stop(false);
  expect(answer.type).toBe('pass');
  expect(answer.notes.join(' ')).toContain('the checks could not be run (the transcript is gone)');
});
