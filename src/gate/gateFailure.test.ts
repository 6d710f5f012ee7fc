import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { endsWithin, systemClock } from '../system/clock.ts';
import { DONE, gateProject } from '../testing/gateProject.ts';
import type { GateOptions } from './types.ts';

describe('a gate that fails', () => {
  /** A file where a folder should be: nothing can be frozen. */
  async function broken(options: Partial<GateOptions>) {
    const at = await gateProject();
    writeFileSync(at.stopgateHome, '');
    return { at, gate: at.gate({ checks: DONE, ...options }) };
  }

  it('sends back three times, then releases with the ending error', async () => {
    const { at, gate } = await broken({});
    await using _ = at;
    const verdicts = [];
    for (let times = 0; times < 4; times++) verdicts.push(await gate.mayStop());
    expect(verdicts.map(({ type }) => type)).toEqual(['goOn', 'goOn', 'goOn', 'stop']);
    expect(verdicts[0]).toMatchObject({ feedback: expect.stringContaining('Not proven yet') });
    expect(verdicts[3]).toMatchObject({ ending: { type: 'error' }, proven: false });
    expect(verdicts[3]?.notes.join()).toContain('4 times in a row');
  });

  it('releases the first time by onFailure: stop', async () => {
    const { at, gate } = await broken({ onFailure: 'stop' });
    await using _ = at;
    expect(await gate.mayStop()).toMatchObject({ type: 'stop', ending: { type: 'error' }, proven: false });
  });

  it('rejects by onFailure: throw', async () => {
    const { at, gate } = await broken({ onFailure: 'throw' });
    await using _ = at;
    await expect(gate.mayStop()).rejects.toThrow();
  });

  it('gives a loop its verdict for an error of its own', async () => {
    await using at = await gateProject();
    const gate = at.gate({ checks: DONE });
    expect(gate.noVerdict(new Error('the loop broke'))).toMatchObject({
      type: 'goOn',
      attempt: 1,
      feedback: expect.stringContaining('the loop broke'),
    });
    expect(() => at.gate({ onFailure: 'throw' }).noVerdict(new Error('the loop broke'))).toThrow('the loop broke');
  });

  it('holds a session whose record was deleted', async () => {
    await using at = await gateProject();
    const gate = at.gate({ checks: [{ command: 'true' }], sessionId: 'lost' });
    await gate.begin();
    rmSync(path.join(at.stopgateHome, 'gates'), { recursive: true });
    expect(await gate.mayStop()).toMatchObject({ type: 'goOn', feedback: expect.stringContaining('no verdict') });
  });
});

describe('an abort', () => {
  it('ends a running check and releases, with nothing proven', async () => {
    await using at = await gateProject();
    const abort = new AbortController();
    const pid = path.join(at.cwd, '../pid');
    const gate = at.gate({
      checks: [{ name: 'slow', command: `echo $$ > ${pid}; exec sleep 600` }],
      onCheck: ({ state }) => state === 'running' && void whenThere(pid).then(() => abort.abort()),
    });
    const verdict = await gate.mayStop({ signal: abort.signal });
    expect(verdict).toMatchObject({
      type: 'stop',
      proven: false,
      ending: { type: 'skipped', why: 'checksInterrupted' },
    });
    expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH');
  });

  it('before the stop runs no check', async () => {
    await using at = await gateProject();
    const ran: string[] = [];
    const gate = at.gate({ checks: DONE, onCheck: ({ name }) => ran.push(name) });
    const verdict = await gate.mayStop({ signal: AbortSignal.abort() });
    expect(verdict).toMatchObject({ ending: { why: 'checksInterrupted' } });
    expect(ran).toEqual([]);
  });
});

/** Polls, because a file has no event that is the same everywhere. */
async function whenThere(file: string): Promise<void> {
  expect(await endsWithin(systemClock, 20_000, () => !existsSync(file) || readFileSync(file, 'utf8') === '')).toBe(
    true,
  );
}
