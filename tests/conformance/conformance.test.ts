import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BIN, BRIEF_NODE } from '../support/project.ts';
// @ts-expect-error plain modules that also run by themselves
import { differences, readGolden } from './golden.mjs';
// @ts-expect-error plain modules that also run by themselves
import { runScenario } from './scenario.mjs';
// @ts-expect-error plain modules that also run by themselves
import { trace } from './trace.mjs';

const here = import.meta.dirname;
const golden = readGolden(path.join(here, 'golden/claude-code.json'));
const command = [process.execPath, ...BRIEF_NODE, BIN].join(' ');
const names = readdirSync(path.join(here, 'scenarios')).map((file) => path.basename(file, '.mjs'));

/** The same scenarios that were recorded from the real Claude Code, through the built command. */
describe.concurrent('agrees with Claude Code', () => {
  it.each(names)('%s', { timeout: 150_000 }, async (name) => {
    const seen = await runScenario(path.join(here, 'scenarios', `${name}.mjs`), command);
    expect(golden[name], `golden/claude-code.json has no trace of ${name}`).toBeDefined();
    expect(differences(golden[name], trace(seen, seen.keep)).join('\n')).toBe('');
  });
});
