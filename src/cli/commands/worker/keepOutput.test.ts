import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownName } from '../../../system/thisHost.ts';
import type { Writer } from '../../../system/writer.ts';
import { keepOutput } from './keepOutput.ts';

let stopgateHome = '';
beforeEach(() => {
  stopgateHome = mkdtempSync(path.join(tmpdir(), 'stopgate-output-'));
});
afterEach(() => rmSync(stopgateHome, { recursive: true }));

const now = Date.UTC(2026, 10, 18);

function collecting() {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const writer: Writer = {
    out: write,
    err: write,
    raw: { out: write, err: write },
    outIsTerminal: false,
    errIsTerminal: false,
    columns: 80,
  };
  return { writer, text: () => text };
}

describe('the log of a worker that a person started', () => {
  it('has what it prints, without what a terminal would obey, for its user only', () => {
    const { writer, text } = collecting();
    using kept = keepOutput(writer, { stopgateHome, workerId: 'w1', now });
    kept.out('one\n');
    kept.err('two \u001b[2J\n');
    const file = path.join(stopgateHome, 'fleet/w1.log');
    expect(text()).toBe('one\ntwo \u001b[2J\n');
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo \\u001b[2J\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('stays in its folder, whatever the name of the worker', () => {
    using kept = keepOutput(collecting().writer, { stopgateHome, workerId: '../../etc/x', now });
    kept.out('one\n');
    expect(readFileSync(path.join(stopgateHome, 'fleet/..-..-etc-x.log'), 'utf8')).toBe('one\n');
  });

  it('stays below a size, with the part before it in another file', () => {
    using kept = keepOutput(collecting().writer, { stopgateHome, workerId: 'w1', now });
    const megabyte = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 13; n++) kept.out(megabyte);
    const file = path.join(stopgateHome, 'fleet/w1.log');
    expect(statSync(file).size).toBe(2 * megabyte.length);
    expect(statSync(`${file}.1`).size).toBe(11 * megabyte.length);
  });

  it('replaces those of workers without a name that are a week old, and no others', () => {
    const folder = path.join(stopgateHome, 'fleet');
    mkdirSync(folder);
    const host = ownName();
    const old = [`${host}-12.log`, `${host}-12.log.1`];
    const stays = [`${host}-w1.log`, 'other.log', `${host}-13.activity`];
    const weekAgo = new Date(now - 8 * 24 * 60 * 60_000);
    for (const name of [...old, ...stays]) {
      writeFileSync(path.join(folder, name), '');
      utimesSync(path.join(folder, name), weekAgo, weekAgo);
    }
    using _kept = keepOutput(collecting().writer, { stopgateHome, workerId: 'w1', now });
    expect([...old, ...stays].filter((name) => existsSync(path.join(folder, name)))).toEqual(stays);
  });

  it('does not stop a worker whose log cannot be written', () => {
    writeFileSync(path.join(stopgateHome, 'fleet'), 'a file where the folder belongs');
    const { writer, text } = collecting();
    using kept = keepOutput(writer, { stopgateHome, workerId: 'w1', now });
    kept.out('one\n');
    expect(text()).toBe('one\n');
  });
});
