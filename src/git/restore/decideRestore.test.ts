import { describe, expect, it } from 'vitest';
import type { TreeChange, TreeEntry } from '../treeDiff.ts';
import { type DiskFact, decideRestore, type RestoreFacts } from './decideRestore.ts';

type State = string | undefined;
const entry = (state: State): TreeEntry | undefined =>
  state === undefined ? undefined : { mode: state.startsWith('sub') ? '160000' : '100644', object: state };

/** Facts for one path from its three states, as trees would show them. */
function factsFor(paths: Readonly<Record<string, readonly [base: State, kept: State, present: State]>>, more = {}) {
  const diff = (from: 0 | 1 | 2, to: 0 | 1 | 2) =>
    new Map<string, TreeChange>(
      Object.entries(paths).flatMap(([path, states]) =>
        states[from] === states[to] ? [] : [[path, { before: entry(states[from]), after: entry(states[to]) }] as const],
      ),
    );
  const disk = (path: string): DiskFact => ({ type: paths[path]?.[2] === undefined ? 'nothing' : 'file' });
  const facts: RestoreFacts = {
    changed: diff(0, 1),
    toBase: diff(2, 0),
    toKept: diff(2, 1),
    asBase: new Set<string>(),
    asKept: new Set<string>(),
    notKept: new Set(),
    disk,
    isWanted: () => true,
    mayOverwrite: () => false,
  };
  return { ...facts, ...more };
}

describe('one path, three ways', () => {
  it.each([
    ['unchanged since', 'a', 'k', 'a', 'steps'],
    ['as kept already', 'a', 'k', 'k', 'already'],
    ['changed since', 'a', 'k', 'p', 'refused'],
    ['removed since', 'a', 'k', undefined, 'refused'],
    ['new, and not there', undefined, 'k', undefined, 'steps'],
    ['new, and there is another one', undefined, 'k', 'p', 'refused'],
    ['removed by it, and still as before', 'a', undefined, 'a', 'steps'],
    ['removed by it, and changed since', 'a', undefined, 'p', 'refused'],
    ['removed by both', 'a', undefined, undefined, 'already'],
    ['not changed by it', 'a', 'a', 'p', 'nothing'],
    ['created since', undefined, undefined, 'p', 'nothing'],
    ['a submodule that moved', 'sub1', 'sub2', 'sub1', 'submodules'],
    ['a file that became a submodule', 'a', 'sub2', 'a', 'submodules'],
  ])('%s', (_what, base, kept, present, group) => {
    const plan = decideRestore(factsFor({ path: [base, kept, present] }));
    const { steps, already, refused, submodules } = plan;
    const found = Object.entries({ steps, already, refused, submodules }).filter(([, list]) => list.length > 0);
    expect(found.map(([name]) => name)).toEqual(group === 'nothing' ? [] : [group]);
  });

  it('overwrites what changed since only where that is allowed', () => {
    const paths = { one: ['a', 'k', 'p'], two: ['a', 'k', 'p'] } as const;
    const plan = decideRestore(factsFor(paths, { mayOverwrite: (path: string) => path === 'one' }));
    expect(plan.steps.map(({ path }) => path)).toEqual(['one']);
    expect(plan.refused.map(({ path, why }) => [path, why])).toEqual([['two', 'changedSince']]);
  });
});

describe('what is in the way', () => {
  const always = { mayOverwrite: () => true };
  const onDisk = (facts: Readonly<Record<string, DiskFact>>) => ({
    disk: (path: string): DiskFact => facts[path] ?? { type: 'nothing' },
  });

  it.each([
    ['an ignored file', { type: 'file' }, 'a file that git ignores is in its place'],
    ['a folder with other files', { type: 'folder', files: ['new/x'] }, 'a folder with other files is in its place'],
    ['a link above it', { type: 'blocked', by: 'up' }, 'a file is where its folder was'],
  ] as const)('%s stays, even when everything may be overwritten', (_what, fact, reason) => {
    const paths = { new: [undefined, 'k', undefined] } as const;
    const plan = decideRestore(factsFor(paths, { ...always, ...onDisk({ new: fact }) }));
    expect(plan).toMatchObject({ steps: [], refused: [{ path: 'new', why: 'inTheWay', reason }] });
  });

  it('goes when the kept state removed it', () => {
    const paths = { up: ['a', undefined, 'a'], 'up/new': [undefined, 'k', undefined] } as const;
    const disk = onDisk({ up: { type: 'file' }, 'up/new': { type: 'blocked', by: 'up' } });
    expect(decideRestore(factsFor(paths, disk)).steps).toHaveLength(2);
  });

  it('stays when it changed since, and so does what needs its place', () => {
    const paths = { up: ['a', undefined, 'p'], 'up/new': [undefined, 'k', undefined] } as const;
    const disk = onDisk({ up: { type: 'file' }, 'up/new': { type: 'blocked', by: 'up' } });
    expect(decideRestore(factsFor(paths, disk)).refused.map(({ why }) => why)).toEqual(['changedSince', 'inTheWay']);
  });
});
