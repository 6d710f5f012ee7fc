import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { addWaiver } from '../stop/waivers.ts';
import { systemClock } from '../system/clock.ts';
import { fakeClock } from '../testing/fakeClock.ts';
import { DONE, gateProject } from '../testing/gateProject.ts';
import { createGate } from './createGate.ts';
import type { GateOptions } from './types.ts';

describe('mayStop', () => {
  it('sends back twice, then accepts with evidence, ledger and receipt', async () => {
    await using at = await gateProject();
    const gate = at.gate({ checks: DONE, sessionId: 'one' });
    expect(await gate.begin()).toEqual([]);
    at.write('answer.txt', 'no');
    const first = await gate.mayStop({ answer: 'All done.' });
    expect(first).toMatchObject({ type: 'goOn', attempt: 1, feedback: expect.stringContaining('done') });
    at.write('answer.txt', 'maybe');
    const second = await gate.mayStop({ answer: 'Done now.' });
    expect(second).toMatchObject({ type: 'goOn', attempt: 2, evidence: { checks: [{ name: 'done', exitCode: 1 }] } });
    at.write('answer.txt', 'yes');
    const third = await gate.mayStop({ answer: 'Really.', toolCalls: [{ name: 'Write', input: { file_path: 'a' } }] });
    expect(third).toMatchObject({
      type: 'stop',
      proven: true,
      ending: { type: 'passed', reason: 'passed (done)' },
      evidence: { checks: [{ name: 'done', outcome: 'passed', exitCode: 0 }], tree: { files: ['answer.txt'] } },
    });
    const lines = at.ledger('one');
    expect(lines.map(({ type, ending }) => [type, ending?.type])).toEqual([
      ['sessionStart', undefined],
      ['stop', 'blocked'],
      ['stop', 'blocked'],
      ['stop', 'passed'],
    ]);
    expect(lines[0]).toMatchObject({ armed: true, agent: 'gate', folder: at.cwd });
    expect(lines[3]).toMatchObject({ claim: 'Really.', evidence: { files_changed: ['a'] } });
    expect(existsSync(path.join(at.stopgateHome, 'receipts', 'one.json'))).toBe(true);
  });

  it('ends as stalled after the same state several times', async () => {
    await using at = await gateProject();
    const gate = at.gate({ checks: DONE, stallAfter: 2 });
    const types = [await gate.mayStop(), await gate.mayStop(), await gate.mayStop()];
    expect(types.map(({ type }) => type)).toEqual(['goOn', 'goOn', 'stop']);
    expect(types[2]).toMatchObject({ ending: { type: 'stalled' }, proven: false });
  });

  it('ends as capped after the attempts of the program', async () => {
    await using at = await gateProject();
    const gate = at.gate({ checks: DONE, maxAttempts: 1 });
    at.write('answer.txt', 'no');
    expect((await gate.mayStop()).type).toBe('goOn');
    at.write('answer.txt', 'other');
    expect(await gate.mayStop()).toMatchObject({ type: 'stop', ending: { type: 'capped' }, proven: false });
  });

  it('holds the agent to the scripts that it began with', async () => {
    await using at = await gateProject();
    at.write('check.sh', 'exit 1\n');
    const gate = at.gate({ checks: [{ name: 'script', command: 'sh check.sh' }] });
    await gate.begin();
    at.write('check.sh', 'exit 0\n');
    const verdict = await gate.mayStop();
    expect(verdict).toMatchObject({ type: 'goOn', feedback: expect.stringContaining('check.sh') });
  });

  it('ends as waived where a person accepted the failure', async () => {
    await using at = await gateProject();
    const gate = at.gate({ checks: DONE, sessionId: 'waived' });
    expect((await gate.mayStop()).type).toBe('goOn');
    const when = new Date(systemClock.now()).toISOString();
    await addWaiver(at.stopgateHome, 'waived', { check: 'done', reason: 'known', by: 'a person', at: when });
    expect(await gate.mayStop()).toMatchObject({ type: 'stop', ending: { type: 'waived' }, proven: false });
  });

  it('continues a session of the same id: its definition and its count', async () => {
    await using at = await gateProject();
    at.write('answer.txt', 'no');
    expect((await at.gate({ checks: DONE, maxAttempts: 1, sessionId: 'same' }).mayStop()).type).toBe('goOn');
    at.write('answer.txt', 'other');
    const easier = [{ name: 'done', command: 'true' }];
    const verdict = await at.gate({ checks: easier, maxAttempts: 1, sessionId: 'same' }).mayStop();
    expect(verdict).toMatchObject({ type: 'stop', ending: { type: 'capped' }, proven: false });
    expect(verdict.type === 'stop' && verdict.ending.reason).toContain('the checks changed during this session');
  });

  it('holds the agent to a configuration that it deleted or emptied', async () => {
    await using at = await gateProject();
    at.write('gate.json', JSON.stringify({ checks: DONE }));
    const gate = at.gate({ config: 'gate.json', trusted: true });
    await gate.begin();
    at.write('gate.json', '{}');
    expect(await gate.mayStop()).toMatchObject({ type: 'goOn', evidence: { checks: [{ name: 'done' }] } });
    rmSync(path.join(at.cwd, 'gate.json'));
    expect(await gate.mayStop()).toMatchObject({ type: 'goOn', evidence: { checks: [{ name: 'done' }] } });
  });

  it('asks one stop after the other', async () => {
    await using at = await gateProject();
    const gate = at.gate({ checks: DONE });
    const both = await Promise.all([gate.mayStop(), gate.mayStop()]);
    expect(both.map((verdict) => verdict.type === 'goOn' && verdict.attempt)).toEqual([1, 2]);
  });

  it('says that nothing was armed where there is no definition', async () => {
    await using at = await gateProject();
    const verdict = await at.gate().mayStop({ answer: 'ok' });
    expect(verdict).toMatchObject({
      type: 'stop',
      ending: { type: 'notArmed' },
      proven: false,
      evidence: { checks: [] },
    });
  });

  it('never refuses a turn that an error ended', async () => {
    await using at = await gateProject();
    const verdict = await at.gate({ checks: DONE }).mayStop({ endedBy: 'rate_limit' });
    expect(verdict).toMatchObject({ type: 'stop', ending: { type: 'skipped', why: 'rateLimit' } });
  });
});

describe('trust', () => {
  const CONFIG = JSON.stringify({ checks: [{ name: 'file', command: 'false' }] });

  it('does not run what only the folder names', async () => {
    await using at = await gateProject();
    at.write('stopgate.config.json', CONFIG);
    const notes: string[] = [];
    const verdict = await at.gate({ onNote: (note) => notes.push(note) }).mayStop();
    expect(verdict).toMatchObject({ type: 'stop', ending: { type: 'skipped', why: 'notTrusted' } });
    expect(notes.join()).toContain('stopgate trust');
  });

  it('runs it for a program that trusts it, by its place or by its path', async () => {
    await using at = await gateProject();
    at.write('stopgate.config.json', CONFIG);
    expect((await at.gate({ trusted: true }).mayStop()).type).toBe('goOn');
    at.write('other.json', CONFIG);
    expect(await at.gate({ config: 'other.json' }).mayStop()).toMatchObject({ ending: { why: 'notTrusted' } });
    expect((await at.gate({ config: 'other.json', trusted: true }).mayStop()).type).toBe('goOn');
  });

  it('lets the checks of the program decide, not those of the folder', async () => {
    await using at = await gateProject();
    at.write('stopgate.config.json', CONFIG);
    const verdict = await at.gate({ checks: [{ name: 'mine', command: 'true' }] }).mayStop();
    expect(verdict).toMatchObject({ type: 'stop', proven: true, ending: { reason: 'passed (mine)' } });
  });
});

describe('budgets', () => {
  it('counts down, refuses late calls, and releases when the time is over', async () => {
    await using at = await gateProject();
    const clock = fakeClock();
    const { cwd, stopgateHome } = at;
    const options = { cwd, stopgateHome, env: { PATH: process.env.PATH }, checks: DONE, timeBudget: '20m' };
    const gate = createGate(options, { clock });
    await gate.begin();
    expect(gate.timeLeft()).toBe(20 * 60_000);
    expect(gate.countdown()).toBe('BUDGET: 20m00s remaining');
    expect(await gate.mayRun({ name: 'Write' })).toEqual({ type: 'pass' });
    await clock.advance(19 * 60_000);
    expect(gate.countdown()).toContain('STOP EDITING');
    expect(await gate.mayRun({ name: 'Write' })).toMatchObject({ type: 'refuse' });
    expect(await gate.mayRun({ name: 'Bash', input: { command: 'git commit -am x' } })).toEqual({ type: 'pass' });
    await clock.advance(61_000);
    expect(gate.timeLeft()).toBeLessThan(0);
    expect(await gate.mayStop()).toMatchObject({ type: 'stop', ending: { type: 'skipped', why: 'timeOver' } });
  });

  it('keeps room for work in a short budget', async () => {
    await using at = await gateProject();
    const gate = at.gate({ deadline: new Date(systemClock.now() + 90_000) });
    expect(await gate.mayRun({ name: 'Write' })).toEqual({ type: 'pass' });
    const inherited = at.gate({ env: { STOPGATE_BUDGET_END: String(Math.floor(systemClock.now() / 1000) + 90) } });
    expect(await inherited.mayRun({ name: 'Write' })).toMatchObject({ type: 'refuse' });
  });

  it('has none by default', async () => {
    await using at = await gateProject();
    const gate = at.gate();
    expect([gate.timeLeft(), gate.tokensLeft(), gate.countdown()]).toEqual([null, null, null]);
    expect(await gate.mayRun({ name: 'Write' })).toEqual({ type: 'pass' });
  });

  it('does not send an agent back that has used its tokens', async () => {
    await using at = await gateProject();
    const gate = at.gate({ checks: DONE, maxTokens: 1_000 });
    expect((await gate.mayStop({ usage: { outputTokens: 999 } })).type).toBe('goOn');
    expect(gate.tokensLeft()).toBe(1);
    const verdict = await gate.mayStop({ usage: { outputTokens: 1_200 } });
    expect(verdict).toMatchObject({ type: 'stop', ending: { type: 'skipped', why: 'tokensOver' } });
  });

  it('sends an agent back that has passed and used little of its token budget', async () => {
    await using at = await gateProject();
    const gate = at.gate({ checks: [{ command: 'true' }], tokenBudget: 10_000, sessionId: 'tokens' });
    const first = await gate.mayStop({ usage: { outputTokens: 1_000 } });
    expect(first).toMatchObject({ type: 'goOn', feedback: expect.stringContaining('10% of the token budget') });
    const second = await gate.mayStop({ usage: { outputTokens: 9_500 } });
    expect(second).toMatchObject({ type: 'stop', proven: true });
    expect(at.ledger('tokens').map(({ type }) => type)).toContain('budget');
  });
});

describe('options', () => {
  it.each<[Partial<GateOptions>, string]>([
    [{ cwd: '' }, 'createGate: cwd must be a string that is not empty, got "".'],
    [{ sessionId: '' }, 'createGate: sessionId must be a string that is not empty, got "".'],
    [{ maxAttempts: 0 }, 'createGate: maxAttempts must be a whole number above 0, got 0.'],
    [{ timeBudget: 'soon' }, 'createGate: timeBudget must be a duration such as "20m", or seconds, got "soon".'],
    [{ timeBudget: '1m', deadline: 1 }, 'createGate: give either timeBudget or deadline, not both.'],
    [
      { deadline: new Date(Number.NaN) },
      'createGate: deadline must be a date, or milliseconds since 1970, got Invalid Date.',
    ],
    [{ config: 'a.json', checks: [] }, 'createGate: give either checks or the path of a config, not both.'],
  ])('%o: %s', (options, message) => {
    expect(() => createGate({ cwd: '/nowhere', stopgateHome: '/nowhere', ...options })).toThrow(new TypeError(message));
  });

  it('a check that is wrong is named by its place, whatever onFailure is', async () => {
    await using at = await gateProject();
    const gate = at.gate({ checks: [{ command: 'true', timeout: 'soon' }] });
    const message =
      'createGate: checks[0].timeout: must be a duration such as "90s", "10m" or "1h30m", or a number of seconds above 0, got "soon".';
    await expect(gate.begin()).rejects.toThrow(new TypeError(message));
    await expect(gate.mayStop()).rejects.toThrow(new TypeError(message));
  });

  it('the path of a config that does not exist is named', async () => {
    await using at = await gateProject();
    await expect(at.gate({ config: 'gone.json' }).begin()).rejects.toThrow(/gone\.json cannot be read \(ENOENT\)/);
  });

  it('a worker that started the program keeps its tasks', async () => {
    await using at = await gateProject();
    const env = { PATH: process.env.PATH, STOPGATE_WORKER: 'w', STOPGATE_WORKER_INCARNATION: '1' };
    expect(await at.gate({ env }).mayStop()).toMatchObject({ type: 'stop', ending: { type: 'notArmed' } });
  });
});
