import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Git } from '../../src/git/git.ts';
import { snapshotWorkTree } from '../../src/git/snapshotWorkTree.ts';
import { type GitRepository, gitRepository } from '../support/gitRepository.ts';
import { sizeOf } from '../support/testSize.ts';
import { carryOut, type Edit, edits, setUp } from './support/randomEdits.ts';
import { type DiskFile, files, idsOf, keyOf, reachable, restore, treeOf } from './support/restoring.ts';

const RUNS = Number(process.env.STOPGATE_PROPERTY_RUNS ?? sizeOf({ small: 10, full: 40 }));
const LIMIT_MS = RUNS * 1000;

/** Mostly the user threw the work away before wanting it back. */
const way = fc.record({ force: fc.boolean(), goesBack: fc.constantFrom(true, true, false) });

/** Seen in every run, on a machine of any speed: what a mutant of the rules would break. */
const write = (name: string, content: number): Edit => ({ type: 'write', name, content });
type Example = [
  before: readonly Edit[],
  during: readonly Edit[],
  after: readonly Edit[],
  { force: boolean; goesBack: boolean },
];
const attributes = (text: string): Edit => ({ type: 'attributes', text });
const EXAMPLES: Example[] = [
  [[write('a', 1)], [write('a', 2)], [write('a', 4)], { force: false, goesBack: false }],
  [[write('a', 1)], [write('a', 2)], [write('a', 4)], { force: true, goesBack: false }],
  [[write('a', 1)], [{ type: 'remove', name: 'a' }], [write('a', 4)], { force: false, goesBack: true }],
  [[write('a', 1)], [write('a', 2)], [{ type: 'remove', name: 'a' }], { force: false, goesBack: true }],
  [
    [write('a', 1)],
    [write('a', 2), { type: 'dropAndIgnore', name: 'a' }],
    [write('a', 4)],
    { force: false, goesBack: false },
  ],
  [[attributes('* text=auto\n'), write('z.txt', 6)], [write('z.txt', 7)], [], { force: false, goesBack: true }],
  [
    [attributes('*.txt text eol=crlf\n'), write('z.txt', 6)],
    [write('z.txt', 7)],
    [write('z.txt', 4)],
    { force: true, goesBack: true },
  ],
  [[attributes('*.txt text eol=crlf\n'), write('z.txt', 6)], [write('z.txt', 7)], [], { force: false, goesBack: true }],
  [
    [attributes('* text=auto\n'), write('z.txt', 5)],
    [write('z.txt', 6), { type: 'add', name: 'z.txt' }],
    [],
    { force: false, goesBack: false },
  ],
  [[attributes('*.txt filter=loud\n'), write('z.txt', 4)], [write('z.txt', 5)], [], { force: false, goesBack: true }],
  [
    [write('a', 1)],
    [
      write('a', 4),
      { type: 'chmod', name: 'a', mode: 0o600 },
      write('Z.bin', 4),
      { type: 'chmod', name: 'Z.bin', mode: 0o700 },
    ],
    [],
    { force: false, goesBack: true },
  ],
  [
    [write('a', 1)],
    [{ type: 'link', name: 'a', content: 1 }],
    [{ type: 'link', name: 'a', content: 2 }],
    { force: false, goesBack: false },
  ],
];

interface Kept {
  readonly base: string;
  readonly files: ReadonlyMap<string, DiskFile>;
}

/** Takes a snapshot; undefined when there was nothing to keep. */
async function keep(repository: GitRepository): Promise<Kept | undefined> {
  const base = repository.git('rev-parse', 'HEAD').trim();
  const onDisk = files(repository.path);
  const request = { folder: repository.path, ref: 'refs/stopgate/wip/one', message: 'kept', start: base };
  const snapshot = await snapshotWorkTree(repository.hardened, request);
  if (snapshot.type === 'failed' || snapshot.type === 'notARepository') throw new Error(snapshot.reason);
  await expectHeld(repository, base, onDisk);
  return snapshot.type === 'kept' ? { base, files: onDisk } : undefined;
}

/** Every file that git knows or knew has its bytes in a ref, or is what a checkout writes. */
async function expectHeld(repository: GitRepository, base: string, onDisk: ReadonlyMap<string, DiskFile>) {
  const { git } = repository;
  const listed = git('-c', 'core.quotePath=true', 'ls-files', '-co', '--exclude-standard').split('\n').map(keyOf);
  const known = new Set([...listed, ...treeOf(repository, base).keys()]);
  const held = reachable(repository);
  const missing = [...onDisk].filter(([key, file]) => known.has(key) && !held.has(idOf(file.content)));
  const ids = await idsOf(
    repository,
    missing.filter(([, { kind }]) => kind === 'file').map(([key]) => key),
  );
  const head = treeOf(repository, 'HEAD');
  for (const [key, file] of missing) {
    expect([key, ids.get(key)?.clean]).toEqual([key, head.get(key)?.object]);
    // the name has no odd bytes, or git could not be asked so simply
    const checkedOut = git('cat-file', '--filters', `HEAD:${Buffer.from(key, 'latin1').toString()}`);
    expect([key, file.content]).toEqual([key, Buffer.from(checkedOut).toString('latin1')]);
  }
}

const isRunnable = ({ mode }: DiskFile) => (mode & 0o100) !== 0;
const modeOf = (file: DiskFile) => (file.kind === 'link' ? '120000' : isRunnable(file) ? '100755' : '100644');

/** Files that are neither as the base has them, as git sees it, nor as they were kept. */
async function changedSince(repository: GitRepository, kept: Kept, onDisk: ReadonlyMap<string, DiskFile>) {
  const base = treeOf(repository, kept.base);
  const ids = await idsOf(
    repository,
    [...onDisk].filter(([, { kind }]) => kind === 'file').map(([key]) => key),
  );
  const keys = new Set([...base.keys(), ...kept.files.keys(), ...onDisk.keys()]);
  return [...keys].filter((key) => {
    const [file, before, wanted] = [onDisk.get(key), base.get(key), kept.files.get(key)];
    if (file === undefined) return before !== undefined;
    const { clean, raw } = ids.get(key) ?? { clean: '', raw: idOf(file.content) };
    const isAsBase = before?.mode === modeOf(file) && [clean, raw].includes(before.object);
    const isAsKept = wanted?.content === file.content && modeOf(wanted) === modeOf(file);
    return !isAsBase && !isAsKept;
  });
}

/** Restores, and holds everything that a restore promises against what is on disk. */
async function expectRestored(repository: GitRepository, kept: Kept, force: boolean) {
  const [onDisk, state] = [files(repository.path), repository.state()];
  const staged = reachable(repository);
  const since = await changedSince(repository, kept, onDisk);
  const { plan, end } = await restore(repository, { id: 'one', force, undoId: 'undo' });
  expect(end).toMatchObject({ type: expect.stringMatching(/^(restored|nothingToDo)$/) });
  const now = files(repository.path);
  // the index, branches and stash are the user's
  expect({ ...repository.state(), status: '' }).toEqual({ ...state, status: '' });
  // the central rule, by what is on disk and not by what the plan says
  if (!force) for (const key of since) expect([key, now.get(key)]).toEqual([key, onDisk.get(key)]);
  for (const { path, why } of plan.refused) if (why === 'changedSince') expect(since).toContain(keyOf(path));
  // only what the plan names is different
  const touched = new Set(plan.steps.map(({ path }) => keyOf(path)));
  for (const [key, file] of onDisk) if (!touched.has(key)) expect([key, now.get(key)]).toEqual([key, file]);
  for (const key of now.keys()) if (!touched.has(key)) expect(onDisk.has(key), key).toBe(true);
  // what was restored is what was kept, byte for byte; what is removed had been removed
  for (const key of touched) {
    const [file, wanted, before] = [now.get(key), kept.files.get(key), onDisk.get(key)];
    expect([key, file?.kind, file?.content]).toEqual([key, wanted?.kind, wanted?.content]);
    const narrowed = (wanted?.mode ?? 0) & ((before?.mode ?? 0) | 0o700);
    if (file) expect([wanted?.mode, narrowed], key).toContain(file.mode);
  }
  expectNothingLost(repository, onDisk, [...staged]);
  if (plan.steps.length > 0) {
    const undone = await restore(repository, { id: 'undo', force: false, undoId: 'redo' });
    expect(undone.plan.refused).toEqual([]);
    expect(files(repository.path)).toEqual(onDisk);
  }
  return { steps: plan.steps.length, refused: plan.refused.length };
}

/** What was on disk, or in the index, is still on disk or in a ref. */
function expectNothingLost(repository: GitRepository, before: ReadonlyMap<string, DiskFile>, ids: readonly string[]) {
  const held = reachable(repository);
  const there = new Set([...files(repository.path).values()].map(({ content }) => content));
  const lost = [...before].filter(([, { content }]) => !there.has(content) && !held.has(idOf(content)));
  expect(lost).toEqual([]);
  expect(ids.filter((id) => !held.has(id))).toEqual([]);
}

/** As `git hash-object --no-filters` gives it, which would be a process per file. */
function idOf(content: string): string {
  const bytes = Buffer.from(content, 'latin1');
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

async function begin(before: readonly Edit[], during: readonly Edit[]) {
  const repository = await gitRepository();
  setUp(repository);
  carryOut(repository, before);
  repository.git('add', '-A');
  repository.git('commit', '--quiet', '--allow-empty', '-m', 'base');
  carryOut(repository, during);
  return repository;
}

const goBack = ({ git }: GitRepository) => {
  git('reset', '--quiet', '--hard');
  git('clean', '--quiet', '-fd');
};

it(
  'a restore loses nothing, leaves what changed since, writes what was kept, and its undo is exact',
  async () => {
    const deadline = performance.now() + LIMIT_MS;
    const seen = { runs: 0, steps: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(edits(3), edits(3), edits(0), way, async (before, during, after, { force, goesBack }) => {
        // a busy machine gets fewer random runs, not a failure; the examples always run
        if (performance.now() > deadline && seen.runs >= EXAMPLES.length) return;
        await using repository = await begin(before, during);
        const kept = await keep(repository);
        seen.runs++;
        if (kept === undefined) return;
        if (goesBack) goBack(repository);
        carryOut(repository, after);
        const { steps, refused } = await expectRestored(repository, kept, force);
        seen.steps += steps;
        seen.refused += refused;
      }),
      { numRuns: RUNS, examples: EXAMPLES },
    );
    process.stdout.write(`restore property: ${JSON.stringify(seen)}\n`);
    expect(Math.min(seen.steps, seen.refused)).toBeGreaterThan(0);
  },
  LIMIT_MS + 120_000,
);

/** Does something before one of the git commands of a restore, as another program would in between. */
const disturbed = (git: Git, at: number, act: () => void): Git => {
  let count = 0;
  return {
    ...git,
    run: async (command) => {
      if (count++ === at) act();
      return git.run(command);
    },
  };
};

const FILE_EDITS: ReadonlySet<Edit['type']> = new Set(['write', 'link', 'remove', 'rename', 'chmod']);

it(
  'what another program writes during a restore is never lost',
  async () => {
    const deadline = performance.now() + LIMIT_MS / 2;
    const fileEdits = edits(1).map((all) => all.filter(({ type }) => FILE_EDITS.has(type)));
    const at = fc.integer({ min: 0, max: 45 });
    const whole: [readonly Edit[], readonly Edit[], readonly Edit[], number, boolean][] = [18, 24, 30].map((moment) => [
      [write('a', 1)],
      [write('a', 2)],
      [write('a', 4), write('z.txt', 5)],
      moment,
      true,
    ]);
    // found at random: a folder takes the place of a file while the restore is planned
    whole.push([[], [write('a', 0)], [write('a/b/c', 0)], 3, false]);
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        edits(1),
        edits(3),
        fileEdits,
        at,
        fc.boolean(),
        async (before, during, meanwhile, moment, force) => {
          if (performance.now() > deadline && runs >= whole.length) return;
          runs++;
          await using repository = await begin(before, during);
          if ((await keep(repository)) === undefined) return;
          goBack(repository);
          const onDisk = files(repository.path);
          let written: ReadonlyMap<string, DiskFile> = onDisk;
          const git = disturbed(repository.hardened, moment, () => {
            carryOut(repository, meanwhile);
            written = files(repository.path);
          });
          await restore(repository, { id: 'one', force, undoId: 'undo', git }).catch((error: Error) => {
            // a file that became a folder while the restore was planned: refusing it loses nothing
            if (!error.message.includes('would be removed, which the kept state never had')) throw error;
          });
          expectNothingLost(repository, written, []);
        },
      ),
      { numRuns: Math.ceil(RUNS / 2), examples: whole },
    );
  },
  LIMIT_MS + 120_000,
);
