import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BIN, BRIEF_NODE } from '../support/project.ts';
// @ts-expect-error plain modules that also run by themselves
import { differences } from './golden.mjs';
// @ts-expect-error plain modules that also run by themselves
import { runScenario } from './scenario.mjs';
// @ts-expect-error plain modules that also run by themselves
import { trace } from './trace.mjs';

const folder = path.join(import.meta.dirname, 'ours');
const golden = JSON.parse(readFileSync(path.join(folder, 'golden.json'), 'utf8'));
const command = [process.execPath, ...BRIEF_NODE, BIN].join(' ');
const names = readdirSync(folder)
  .filter((file) => /^[a-z-]+\.mjs$/.test(file))
  .map((file) => path.basename(file, '.mjs'));

/** What Claude Code has not, or not like this: budgets, teammates. The traces are written by hand, and only what matters. */
describe.concurrent('ends turns as promised', () => {
  it.each(names)('%s', { timeout: 150_000 }, async (name) => {
    const seen = await runScenario(path.join(folder, `${name}.mjs`), command);
    const want = golden[name];
    expect(want, `ours/golden.json has no trace of ${name}`).toBeDefined();
    const got = { ...trace(seen, seen.keep), finished: finishedHooks(seen.calls) };
    expect(differences(want, onlyWhatIsIn(want, got)).join('\n')).toBe('');
  });

  it('has a scenario for every trace', () => {
    expect(Object.keys(golden).toSorted()).toEqual(names.toSorted());
  });
});

function finishedHooks(calls: readonly { hook: string; finished: boolean }[]): string[] {
  return calls
    .filter(({ finished }) => finished)
    .map(({ hook }) => hook)
    .toSorted();
}

/** Drops what a trace does not mention. A list is compared whole; an object in its place looks at the places it names. */
function onlyWhatIsIn(want: unknown, got: unknown): unknown {
  if (!isObject(want) || !isObject(got)) return got;
  if (Array.isArray(want) && Array.isArray(got)) return got.map((item, place) => onlyWhatIsIn(want[place], item));
  return Object.fromEntries(Object.keys(want).map((key) => [key, onlyWhatIsIn(want[key], got[key])]));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
