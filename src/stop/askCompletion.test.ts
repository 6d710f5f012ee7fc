import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../system/clock.ts';
import { spawnProcesses } from '../system/spawnProcesses.ts';
import { tempFolder } from '../testing/tempFolder.ts';
import { beginSession } from './ask.ts';
import { askCompletion, whyNotDone } from './askCompletion.ts';
import { errorEnding, type GateEnding, notArmedEnding, skippedEnding } from './ending.ts';
import { freezeFor } from './frozen/frozenFile.ts';

const ending = (type: GateEnding['type'], more: Partial<GateEnding> = {}): GateEnding => ({
  type,
  reason: `${type} (x)`,
  checks: [],
  ...more,
});

it.each([
  ['passed', ending('passed'), true],
  ['passed, with other checks than at the start, as at a stop', ending('passed', { changed: 'edited' }), true],
  ['no configuration', notArmedEnding('no stopgate.config.json'), true],
  ['a folder that no person trusted', skippedEnding('notTrusted'), true],
  ['checks that changed since a person trusted them', skippedEnding('changedSinceTrusted'), false],
  ['nothing changed, where the configuration accepts that', skippedEnding('nothingChanged'), true],
  ['failed', ending('blocked'), false],
  ['given up at a stop because no file changed', ending('stalled'), false],
  ['given up at a stop after many tries', ending('capped'), false],
  ['not finished in time', ending('outOfTime'), false],
  ['a configuration that cannot be read', errorEnding('broken'), false],
  ['interrupted', skippedEnding('checksInterrupted'), false],
  ['the configuration deleted by the agent', { ...notArmedEnding('deleted'), armedAtStart: ['tests'] }, false],
  ['trust withdrawn meanwhile', { ...skippedEnding('notTrusted'), armedAtStart: ['tests'] }, false],
])('decides whether a completion counts: %s', (_what, found, isDone) => {
  expect(whyNotDone(found) === null).toBe(isDone);
});

describe('a completion', () => {
  it('accepts what failed before the agent began, not what failed when an agent of the agent began', async () => {
    await using folder = await tempFolder();
    const project = path.join(folder.path, 'project');
    await mkdir(project);
    const check = { name: 'tests', command: 'cat broken; exit 1', baseline: 'session' };
    await writeFile(path.join(project, 'stopgate.config.json'), JSON.stringify({ checks: [check] }));
    const processes = spawnProcesses();
    const world = {
      ...{
        env: { PATH: process.env.PATH ?? '', STOPGATE_TRUST_PROJECT: '1', STOPGATE_WORKER: 'w' },
        clock: systemClock,
      },
      ...{ stopgateHome: path.join(folder.path, 'home'), processes, signal: new AbortController().signal },
    };
    const broken = (text: string) => writeFile(path.join(project, 'broken'), text);
    const asker = { name: 'stopgate', demand: async () => 'order' as const };
    const begin = (session_id: string) =>
      beginSession({ session_id, cwd: project, source: 'startup' }, { ...world, asker, hostPid: null });
    const complete = () =>
      askCompletion({ ...world, folder: project, session: 'completions', start: null, worker: 'w' });

    await broken('old is broken\n');
    const start = { file: path.join(project, 'stopgate.config.json'), checks: ['tests'], configured: [] };
    await freezeFor('completions', start, world);
    await begin('agent');
    expect(await complete()).toBeNull();
    await broken('old is broken\nnew is broken\n');
    await begin('started by the agent');
    expect(await complete()).toContain('new is broken');
    await processes.endAll();
  });
});
