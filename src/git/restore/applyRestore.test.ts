import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { applyRestore, putBackMissing } from './applyRestore.ts';
import { readDisk } from './diskFacts.ts';

const file = { mode: '100644', object: 'x' };
const written = (path: string, present: typeof file | undefined) => ({ path, kept: file, present });

async function folders() {
  const folder = await tempFolder();
  const [top, staging] = [join(folder.path, 'top'), join(folder.path, 'staging')];
  for (const path of [join(top, 'deep'), join(staging, 'new/made')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(top, 'first'), 'old first', { mode: 0o600 });
  writeFileSync(join(top, 'deep/removed'), 'old removed');
  writeFileSync(join(staging, 'new/first'), 'new first');
  writeFileSync(join(staging, 'new/made/second'), 'new second');
  return { top, staging, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const permissions = (_step: unknown, present: number | undefined) => present;

const STEPS = [
  written('first', file),
  { path: 'deep/removed', kept: undefined, present: file },
  written('made/second', undefined),
];

it('moves everything into place', async () => {
  await using at = await folders();
  const disk = await readDisk(
    at.top,
    STEPS.map(({ path }) => path),
  );
  const request = {
    topLevel: at.top,
    steps: STEPS,
    emptyFolders: ['empty/one'],
    staging: at.staging,
    permissions,
    disk,
  };
  expect(await applyRestore(request)).toEqual({ type: 'applied' });
  expect(readFileSync(join(at.top, 'first'), 'utf8')).toBe('new first');
  expect(statSync(join(at.top, 'first')).mode & 0o777).toBe(0o600);
  expect(readdirSync(at.top).toSorted()).toEqual(['empty', 'first', 'made']);
});

it('takes everything back when one move fails', async () => {
  await using at = await folders();
  const steps = [...STEPS, written('third', undefined)];
  const disk = await readDisk(
    at.top,
    steps.map(({ path }) => path),
  );
  const { ino } = statSync(join(at.top, 'first'));
  const ended = await applyRestore({
    topLevel: at.top,
    steps,
    emptyFolders: [],
    staging: at.staging,
    permissions,
    disk,
  });
  expect(ended).toMatchObject({ type: 'takenBack', reason: expect.stringContaining('ENOENT') });
  expect(readFileSync(join(at.top, 'first'), 'utf8')).toBe('old first');
  expect(statSync(join(at.top, 'first')).ino).toBe(ino);
  expect(readFileSync(join(at.top, 'deep/removed'), 'utf8')).toBe('old removed');
  expect(existsSync(join(at.top, 'made'))).toBe(false);
});

it('stops, and takes everything back, when a file was written to meanwhile', async () => {
  await using at = await folders();
  const steps = [STEPS[2], STEPS[0]].filter((step) => step !== undefined);
  const disk = await readDisk(
    at.top,
    steps.map(({ path }) => path),
  );
  writeFileSync(join(at.top, 'first'), 'just saved by an editor');
  const ended = await applyRestore({
    topLevel: at.top,
    steps,
    emptyFolders: [],
    staging: at.staging,
    permissions,
    disk,
  });
  expect(ended).toEqual({ type: 'takenBack', reason: 'first changed while the restore was running' });
  expect(readFileSync(join(at.top, 'first'), 'utf8')).toBe('just saved by an editor');
  expect(existsSync(join(at.top, 'made'))).toBe(false);
});

/** Applies the steps; at each look at a file, after it was read, `meanwhile` does what another program would. */
async function applyWhile(
  at: Awaited<ReturnType<typeof folders>>,
  meanwhile: (path: string) => unknown,
  signal?: AbortSignal,
) {
  const read = await readDisk(
    at.top,
    STEPS.map(({ path }) => path),
  );
  const mark = (path: string) => {
    const mark = meanwhile(path);
    return typeof mark === 'string' ? mark : read.mark(path);
  };
  const disk = { fact: read.fact, mark };
  return applyRestore({
    topLevel: at.top,
    steps: STEPS,
    emptyFolders: [],
    staging: at.staging,
    permissions,
    disk,
    signal,
  });
}

it('never takes back over an edit of what it restored or removed', async () => {
  await using at = await folders();
  const ended = await applyWhile(at, (path) => {
    if (path !== 'made/second') return undefined;
    writeFileSync(join(at.top, 'first'), 'edited after it was restored');
    mkdirSync(join(at.top, 'deep'), { recursive: true });
    writeFileSync(join(at.top, 'deep/removed'), 'made again');
    return 'another mark';
  });
  expect(ended).toMatchObject({ type: 'half', reason: expect.stringContaining('made/second changed while') });
  expect(readFileSync(join(at.top, 'first'), 'utf8')).toBe('edited after it was restored');
  expect(readFileSync(join(at.top, 'deep/removed'), 'utf8')).toBe('made again');
});

it.each([
  ['written to', (file: string) => writeFileSync(file, 'saved just now')],
  [
    'replaced',
    (file: string) => {
      writeFileSync(`${file}~`, 'saved just now');
      renameSync(`${file}~`, file);
    },
  ],
])('gives a file back that is %s between the look and the move', async (_name, save) => {
  await using at = await folders();
  const ended = await applyWhile(at, (path) => void (path === 'first' && save(join(at.top, 'first'))));
  expect(ended).toEqual({ type: 'takenBack', reason: 'first changed while the restore was running' });
  expect(readFileSync(join(at.top, 'first'), 'utf8')).toBe('saved just now');
  expect(readFileSync(join(at.top, 'deep/removed'), 'utf8')).toBe('old removed');
});

it('does not replace a file that appears where a new one belongs', async () => {
  await using at = await folders();
  const ended = await applyWhile(at, (path) => {
    if (path === 'made/second') writeFileSync(join(at.top, 'made/second'), 'mine');
  });
  expect(ended).toMatchObject({ type: 'half', reason: expect.stringContaining('made/second changed while') });
  expect(readFileSync(join(at.top, 'made/second'), 'utf8')).toBe('mine');
  expect(readFileSync(join(at.top, 'first'), 'utf8')).toBe('old first');
});

it('notices a program that writes to a file that it still has open', async () => {
  await using at = await folders();
  const open = openSync(join(at.top, 'first'), 'a');
  const ended = await applyWhile(at, (path) => void (path === 'made/second' && writeSync(open, ' and a line')));
  closeSync(open);
  expect(ended).toEqual({ type: 'takenBack', reason: 'first changed while the restore was running' });
  expect(readFileSync(join(at.top, 'first'), 'utf8')).toBe('old first and a line');
});

it('takes everything back when it is interrupted', async () => {
  await using at = await folders();
  const interrupt = new AbortController();
  const ended = await applyWhile(at, () => interrupt.abort(), interrupt.signal);
  expect(ended).toEqual({ type: 'takenBack', reason: 'it was interrupted' });
  expect(readFileSync(join(at.top, 'deep/removed'), 'utf8')).toBe('old removed');
});

it('puts a file back that a kill left missing between two moves, and no other', async () => {
  await using at = await folders();
  mkdirSync(join(at.staging, 'old'));
  writeFileSync(join(at.staging, 'replaced'), 'first\nsecond');
  renameSync(join(at.top, 'first'), join(at.staging, 'old/w0'));
  writeFileSync(join(at.staging, 'old/w1'), 'old second');
  writeFileSync(join(at.top, 'second'), 'new second');
  await putBackMissing(at.top, at.staging);
  expect(readFileSync(join(at.top, 'first'), 'utf8')).toBe('old first');
  expect(readFileSync(join(at.top, 'second'), 'utf8')).toBe('new second');
});
