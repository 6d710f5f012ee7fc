import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../system/clock.ts';
import { fakeClock } from '../../testing/fakeClock.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { readFailure } from './startAgent.ts';

const script = path.join(import.meta.dirname, '../../../profiles/default/hooks/stop-failure.sh');
const input = {
  error: 'authentication_failed',
  last_assistant_message: 'Invalid “key” · \\ log in',
  error_details: 'x',
};
const message = input.last_assistant_message;
const failure = { error: 'authentication_failed', text: `x ${message}`, message };

describe('stop-failure.sh', () => {
  const run = (file: string | undefined) => {
    const env = { PATH: process.env.PATH, ...(file !== undefined && { STOPGATE_FAILURE_FILE: file }) };
    return spawn(script, [], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  };

  it('saves its input, and prints nothing', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'it is $HOME "here"');
    const child = run(file);
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
    child.stdin.end(JSON.stringify(input));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(printed).toBe('');
    expect(await readFailure(file, systemClock, false)).toEqual(failure);
  });

  it('is not kept from it by a host that ends it', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'failure');
    const child = run(file);
    const text = JSON.stringify(input);
    child.stdin.write(text.slice(0, 10));
    await expect.poll(() => ignoresSignals(child.pid)).toBe(true);
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) child.kill(signal);
    child.stdin.end(text.slice(10));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(await readFailure(file, systemClock, false)).toEqual(failure);
  });

  it('saves a bounded input, and nothing without a file or in a folder that is gone', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'failure');
    const flooded = run(file);
    flooded.stdin.on('error', () => {});
    flooded.stdin.end('x'.repeat(200_000));
    expect(await once(flooded, 'close')).toEqual([0, null]);
    expect(statSync(file).size).toBeLessThanOrEqual(65_536);
    for (const nowhere of [undefined, '', path.join(folder.path, 'gone', 'failure')]) {
      const child = run(nowhere);
      child.stdin.on('error', () => {});
      child.stdin.end('{}');
      expect(await once(child, 'close'), nowhere).toEqual([0, null]);
    }
  });
});

function ignoresSignals(pid: number | undefined): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const ignored = BigInt(`0x${/SigIgn:\s+(\w+)/.exec(status)?.[1] ?? '0'}`);
  return [1n, 2n, 15n].every((signal) => ((ignored >> (signal - 1n)) & 1n) === 1n);
}

describe('what was kept', () => {
  it.each(['', '{', '[]', 'null', '7', '{"error":7}', '{"last_assistant_message":"x"}'])(
    '%s is nothing',
    async (text) => {
      await using folder = await tempFolder();
      const file = path.join(folder.path, 'failure');
      writeFileSync(file, text);
      expect(await readFailure(file, systemClock, false)).toBeNull();
    },
  );

  it('is nothing where there is a pipe, a folder or a file without end', async () => {
    await using folder = await tempFolder();
    const pipe = path.join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const file of [pipe, folder.path, '/dev/zero']) {
      expect(await readFailure(file, systemClock, false), file).toBeNull();
    }
  });

  it('is waited for, but not for long, where a script may just be writing it', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'failure');
    const clock = fakeClock();
    writeFileSync(file, JSON.stringify(input).slice(0, 20));
    const reading = readFailure(file, clock, true);
    await clock.advance(100);
    writeFileSync(file, JSON.stringify(input));
    await clock.advance(50);
    expect(await reading).toEqual(failure);
    const missing = readFailure(path.join(folder.path, 'nothing'), clock, true);
    await clock.advance(500);
    expect(await missing).toBeNull();
  });
});
