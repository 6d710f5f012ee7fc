import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SpendLedger } from '../../models/ledger.ts';
import { costOf } from '../../models/prices.ts';
import { systemClock } from '../../system/clock.ts';
import { systemIds } from '../../system/ids.ts';
import { takeLock } from '../../system/pidLock.ts';
import { fakeClock } from '../../testing/fakeClock.ts';
import { type ScriptedReply, scriptedReplies } from '../../testing/scriptedReplies.ts';
import { type TempFolder, tempFolder } from '../../testing/tempFolder.ts';
import { createGovernor } from '../governor/governor.ts';
import { DEFAULT_LIMITS } from '../governor/limits.ts';
import { decideSwitches } from '../governor/switches.ts';
import { memoryFolder, readMemories, writeMemory } from '../memory/memoryFolder.ts';
import { autoDream } from './dream.ts';
import { readDreamState, writeDreamState } from './dreamStateFile.ts';

const DAY = 86_400_000;
const MERGED = JSON.stringify({
  write: [
    {
      name: 'tests',
      description: 'How tests run',
      type: 'project',
      content: 'Tests always run with make check, never with npm test.',
      merged_from: ['tests-a', 'tests-b'],
    },
  ],
  drop: [],
});

async function setUp(folder: TempFolder, replies: readonly ScriptedReply[]) {
  const sessionsDir = folder.path;
  const memoryDir = memoryFolder(sessionsDir);
  const fact = {
    description: 'd',
    type: 'project',
    created: '2026-01-01',
    session: 's',
    evidence: 'user',
    quote: '',
  } as const;
  await writeMemory(memoryDir, { ...fact, name: 'tests-a', content: 'Tests run with make check.' });
  await writeMemory(memoryDir, { ...fact, name: 'tests-b', content: 'Tests: always make check, never npm test.' });
  await writeMemory(memoryDir, { ...fact, name: 'deploy', content: 'Deploys go to staging first.' });
  for (let i = 0; i < 5; i++) writeFileSync(path.join(sessionsDir, `session-${i}.jsonl`), '');
  const clock = fakeClock(Date.now() + 10_000);
  const model = scriptedReplies(replies, { clock });
  const governor = createGovernor({
    clock,
    random: () => 0,
    ledger: new SpendLedger(),
    costOf,
    maxRetries: 0,
    limits: DEFAULT_LIMITS,
    switches: decideSwitches({ env: {}, memorySetting: true, interactive: false, bare: false }),
    log: { append: () => {} },
    logEvent: () => {},
    project: '/p',
    sessionId: 's',
    signal: new AbortController().signal,
  });
  const dream = (dreamer = model) =>
    governor.submit(autoDream({ memoryDir, sessionsDir, model: dreamer, clock, ids: systemIds }));
  return { memoryDir, sessionsDir, clock, model, dream };
}

const names = async (memoryDir: string) => (await readMemories(memoryDir)).map(({ name }) => name);

describe('autoDream', () => {
  it('merges, keeps one backup, writes the index anew, and remembers when', async () => {
    await using folder = await tempFolder();
    const { dream, memoryDir, clock, sessionsDir } = await setUp(folder, [{ text: `Here you are:\n${MERGED}` }]);
    expect(await dream()).toMatchObject({ outcome: 'ran', reason: 'wrote 1 and removed 2 of 3 facts', requests: 1 });
    expect(await names(memoryDir)).toEqual(['deploy', 'tests']);
    expect(readFileSync(path.join(memoryDir, 'MEMORY.md'), 'utf8')).toContain('[tests](tests.md)');
    expect(await names(`${memoryDir}.backup`)).toEqual(['deploy', 'tests-a', 'tests-b']);
    expect((await readDreamState(memoryDir))?.lastDreamAt).toBe(clock.now());
    const left = readdirSync(sessionsDir).filter((name) => !name.endsWith('.jsonl'));
    expect(left.sort()).toEqual(['memory', 'memory.backup']);
  });

  it('makes no request when nothing changed since, or when it is too early', async () => {
    await using folder = await tempFolder();
    const { dream, clock, model, sessionsDir } = await setUp(folder, [
      { text: '{"write":[],"drop":[]}', repeat: 'forever' },
    ]);
    expect(await dream()).toMatchObject({ outcome: 'ran', reason: 'nothing to tidy' });
    expect(await dream()).toMatchObject({ outcome: 'skipped', reason: /0 h ago/ });
    await clock.advance(2 * DAY);
    expect(await dream()).toMatchObject({ outcome: 'skipped', reason: /0 sessions since/ });
    const later = new Date(clock.now());
    for (let i = 0; i < 5; i++) utimesSync(path.join(sessionsDir, `session-${i}.jsonl`), later, later);
    expect(await dream()).toMatchObject({ outcome: 'skipped', reason: /not changed/ });
    expect(model.requests).toHaveLength(1);
  });

  it.each<[string, ScriptedReply, RegExp]>([
    ['the model cannot be reached', { error: { status: 429, message: 'slow down' } }, /slow down/],
    ['the answer is not JSON', { text: 'I would merge the tests.' }, /not the requested JSON object/],
    ['the answer would forget most', { text: '{"drop":[{"name":"tests-a"},{"name":"tests-b"}]}' }, /would drop 2 of 3/],
  ])('takes its timestamp back and changes nothing when %s, then waits an hour', async (_name, reply, reason) => {
    await using folder = await tempFolder();
    const { dream, memoryDir, clock, model } = await setUp(folder, [reply, { text: MERGED }]);
    const before = { lastDreamAt: clock.now() - 3 * DAY, digest: 'old' };
    await writeDreamState(memoryDir, before);
    expect(await dream()).toMatchObject({ outcome: 'failed', reason });
    expect(await readDreamState(memoryDir)).toEqual({ ...before, failedAt: clock.now() });
    expect(await names(memoryDir)).toEqual(['deploy', 'tests-a', 'tests-b']);
    expect(existsSync(`${memoryDir}.dream.lock`)).toBe(false);
    expect(await dream()).toMatchObject({ outcome: 'skipped', reason: /last try failed/ });
    expect(model.requests).toHaveLength(1);
    await clock.advance(3_600_000);
    expect(await dream()).toMatchObject({ outcome: 'ran' });
  });

  it('leaves alone what was written while it dreamt', async () => {
    await using folder = await tempFolder();
    const world = await setUp(folder, []);
    const model = scriptedReplies((_request) => {
      // another process learns something in the meantime
      writeFileSync(
        path.join(world.memoryDir, 'tests-b.md'),
        '---\nname: tests-b\ndescription: d\ntype: project\ncreated: x\nsession: s\n---\nnewer',
      );
      return { text: MERGED };
    });
    expect(await world.dream(model)).toMatchObject({ outcome: 'ran', reason: /left alone: tests-b/ });
    expect((await readMemories(world.memoryDir)).find(({ name }) => name === 'tests-b')?.content).toBe('newer');
  });

  it('does not run where another process is doing it', async () => {
    await using folder = await tempFolder();
    const { dream, memoryDir, model } = await setUp(folder, [{ text: MERGED }]);
    mkdirSync(memoryDir, { recursive: true });
    await takeLock({ file: `${memoryDir}.dream.lock`, clock: systemClock, ids: systemIds });
    expect(await dream()).toMatchObject({ outcome: 'skipped', reason: `another process (${process.pid}) is doing it` });
    expect(model.requests).toHaveLength(0);
  });
});
