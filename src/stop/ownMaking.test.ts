import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../system/clock.ts';
import { tempFolder } from '../testing/tempFolder.ts';
import { askStop, beginSession } from './ask.ts';
import { decideOwnMaking } from './ownMaking.ts';
import type { StopWorld } from './world.ts';

/** A project with a failing check, whose agent finds a new reason not to be checked at each stop. */
async function project(env: Readonly<Record<string, string>> = {}) {
  const folder = await tempFolder();
  const cwd = path.join(folder.path, 'project');
  mkdirSync(cwd);
  execFileSync('git', ['init', '-q'], { cwd });
  writeFileSync(
    path.join(cwd, 'stopgate.config.json'),
    '{"checks":[{"name":"test","command":"false","when":"always"}]}',
  );
  const world: StopWorld = {
    env: { PATH: process.env.PATH ?? '', CLAUDE_PROJECT_DIR: cwd, ...env },
    stopgateHome: path.join(folder.path, 'home'),
    clock: systemClock,
    asker: { name: 'test', demand: async () => 'order' },
    hostPid: null,
    trusted: true,
    deadlineAt: systemClock.now() + 60_000,
    signal: new AbortController().signal,
  };
  await beginSession({ session_id: 's', cwd, source: 'startup' }, world);
  const stop = (more: object) => askStop({ session_id: 's', cwd, ...more }, world);
  return { stop, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const cron = { session_crons: [{ id: 'c', cron: '* * * * *' }] };
const subagent = (id: number) => ({ background_tasks: [{ id: `agent-${id}`, type: 'subagent', status: 'running' }] });

describe('reasons not to be checked that an agent can make itself', () => {
  it.each([
    ['a schedule', () => cron],
    ['ever new subagents', subagent],
  ])('%s: a few stops in a row, then the checks run, and it is said', async (_name, more) => {
    await using made = await project({ STOPGATE_EXEMPTION_CAP: '3' });
    const types: string[] = [];
    for (let at = 0; at < 5; at++) types.push((await made.stop(more(at))).type);
    expect(types).toEqual(['pass', 'pass', 'pass', 'block', 'pass']);
    for (let at = 5; at < 7; at++) await made.stop(more(at));
    const checked = await made.stop(more(7));
    expect(checked.notes.join(' ')).toMatch(/not checked 3 times in a row/);
  });

  it('are not limited with 0', async () => {
    await using made = await project({ STOPGATE_EXEMPTION_CAP: '0' });
    for (let at = 0; at < 12; at++) expect((await made.stop(cron)).type).toBe('pass');
  });

  it.each([
    ['nothing before', [], 'wakesLater', false],
    ['fewer than the limit', ['wakesLater', 'backgroundTasks'], 'wakesLater', false],
    ['as many as the limit', ['wakesLater', 'backgroundTasks', 'wakesLater'], 'backgroundTasks', true],
    ['a checked stop between', ['wakesLater', null, 'wakesLater'], 'wakesLater', false],
    ['other reasons between', ['wakesLater', 'apiError', 'wakesLater', 'planning', 'wakesLater'], 'wakesLater', true],
    ['a person who interrupts', ['wakesLater', 'wakesLater', 'wakesLater'], 'interrupted', false],
  ] as const)('count in a row: %s', (_name, before, code, expected) => {
    expect(decideOwnMaking(code, before, 3)).toBe(expected);
  });
});
