import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { afterAll, describe, expect, it } from 'vitest';
import { SHELLS } from '../../src/permissions/shell/commandWrappers.ts';
import { findCommands } from '../../src/permissions/shell/findCommands.ts';
import { sizeOf } from '../support/testSize.ts';
import { BATCH, CANARIES, startBashRunner } from './bashRunner.ts';
import { mutatedSeeds, parameterLines, randomLine, SEEDS } from './shellLines.ts';

/** `STOPGATE_FUZZ_LINES=1000000 npx vitest run tests/permissions/shellFuzz.test.ts` is the long run. */
const LINES = Number(process.env.STOPGATE_FUZZ_LINES ?? sizeOf({ small: 1_500, full: 10_000 }));
const SEED = Number(process.env.STOPGATE_FUZZ_SEED ?? 1);

const WHOLE = process.env.STOPGATE_FUZZ_LINES !== undefined;

/** Each step is a prime, so that the sample has something of every form and of every place. */
const STEPS = {
  forms: sizeOf({ small: 7, full: 1 }),
  places: sizeOf({ small: 197, full: 29 }),
  parsed: sizeOf({ small: 47, full: 7 }),
};

const bash = startBashRunner();
afterAll(() => bash.close());

/** Commands that the reader saw; undefined for a line of which it says itself that it may hold others. */
function seenIn(line: string): ReadonlySet<string> | undefined {
  const { all, unclear } = findCommands(line);
  if (unclear !== undefined) return undefined;
  return new Set(
    all.flatMap(({ part: { words } }) => {
      const [head = '', ...rest] = words.map(({ text }) => text);
      // `bash file`, `. file` and `source file` run the file; each needs a rule of its own
      return SHELLS.has(head) || head === '.' || head === 'source' ? [head, ...rest] : [head];
    }),
  );
}

/** Lines that run a command which the reader did not see. */
async function missed(lines: readonly string[]): Promise<string[]> {
  const read = lines.flatMap((line) => {
    const seen = seenIn(line);
    return seen === undefined ? [] : [{ line, seen }];
  });
  const found: string[] = [];
  for (let at = 0; at < read.length; at += BATCH) {
    const batch = read.slice(at, at + BATCH);
    const ran = await bash.run(batch.map(({ line }) => line));
    for (const [index, { line, seen }] of batch.entries()) {
      const hidden = CANARIES.filter((name) => ran[index]?.has(name) && !seen.has(name));
      if (hidden.length > 0) found.push(`${hidden}: ${JSON.stringify(line)}`);
    }
  }
  return found;
}

/** A stream of numbers below 1 that is the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function every<Item>(items: readonly Item[], step: number): Item[] {
  return items.filter((_, at) => at % step === 0);
}

describe('bash runs nothing that the reader of command lines did not see', {
  timeout: WHOLE ? 4 * 3_600_000 : 300_000,
}, () => {
  it('knows its own canaries: the seeds run them', async () => {
    const ran = await bash.run(SEEDS);
    expect(ran.filter((names) => names.size > 0).length).toBeGreaterThan(60);
  });

  it('in every form of a parameter', async () => {
    const lines = parameterLines();
    expect(lines.length).toBeGreaterThan(5000);
    expect(await missed(WHOLE ? lines : every(lines, STEPS.forms))).toEqual([]);
  });

  it('in lines with something put in at every place', async () => {
    const lines = mutatedSeeds();
    expect(lines.length).toBeGreaterThan(50_000);
    expect(await missed(WHOLE ? lines : every(lines, STEPS.places))).toEqual([]);
  });

  it('in random lines', async () => {
    const random = numbersFrom(SEED);
    for (let done = 0; done < LINES; done += 20_000) {
      const lines = Array.from({ length: Math.min(20_000, LINES - done) }, () => randomLine(random));
      expect(await missed(lines)).toEqual([]);
    }
  });
});

describe('another parser of bash finds no more commands', () => {
  function namesIn(line: string): Set<string> {
    const names = new Set<string>();
    const visit = (node: SyntaxNode): void => {
      if (node.type === 'Command' && node.name?.value) names.add(node.name.value);
      forEachChild(node, visit);
    };
    const script = parse(line);
    // what it makes of a line that is no shell is a guess
    if (!script.errors?.length) visit(script);
    return names;
  }

  it('in the seeds, and in lines with something put in', () => {
    const hidden = every([...SEEDS, ...mutatedSeeds()], WHOLE ? 1 : STEPS.parsed).flatMap((line) => {
      const seen = seenIn(line);
      if (seen === undefined) return [];
      const more = [...namesIn(line)].filter((name) => CANARIES.some((canary) => canary === name) && !seen.has(name));
      return more.length > 0 ? [`${more}: ${JSON.stringify(line)}`] : [];
    });
    expect(hidden).toEqual([]);
  });
});
