import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { BackgroundRun } from '../../schemas/backgroundRuns.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { fileRunLog, readRunLog, runLogFile } from './runLog.ts';

const run = (reason: string): BackgroundRun => ({
  at: '2026-11-01T10:00:00.000Z',
  task: 'memory_extraction',
  project: '/p',
  session: 's',
  outcome: 'ran',
  reason,
  durationMs: 1,
  requests: 1,
  tokens: 10,
  costUsd: 0.01,
});

it('keeps every decision in order and passes over a torn line', async () => {
  await using folder = await tempFolder();
  const log = fileRunLog(folder.path, () => {});
  log.append(run('one'));
  appendFileSync(runLogFile(folder.path), '{"at":"2026\n');
  log.append(run('two'));
  expect((await readRunLog(folder.path)).map(({ reason }) => reason)).toEqual(['one', 'two']);
  expect(statSync(runLogFile(folder.path)).mode & 0o777).toBe(0o600);
});

it('stays bounded: a file that has grown is set aside, and what was set aside before is gone', async () => {
  await using folder = await tempFolder();
  const log = fileRunLog(folder.path, () => {}, 1000);
  for (let i = 0; i < 40; i++) log.append(run(`run ${i}`));
  const file = runLogFile(folder.path);
  expect(statSync(file).size).toBeLessThan(1500);
  expect(existsSync(`${file}.1`)).toBe(true);
  expect(existsSync(`${file}.2`)).toBe(false);
  const reasons = (await readRunLog(folder.path)).map(({ reason }) => reason);
  expect(reasons.at(-1)).toBe('run 39');
  expect(reasons.length).toBeLessThan(20);
});

it('reports once that it cannot write, and continues', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 'home');
  writeFileSync(file, 'not a folder');
  const sentences: string[] = [];
  const log = fileRunLog(file, (sentence) => sentences.push(sentence));
  log.append(run('one'));
  log.append(run('two'));
  expect(sentences).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).toBe('not a folder');
  expect(await readRunLog(file)).toEqual([]);
});
