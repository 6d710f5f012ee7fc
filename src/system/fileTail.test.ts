import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fileTail } from './fileTail.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'stopgate-tail-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
const newFile = (text: string) => {
  const file = path.join(folder, `${++count}.log`);
  writeFileSync(file, text);
  return file;
};

describe('the tail of a file', () => {
  it('is its end first, then what is added', () => {
    const file = newFile('0123456789');
    const tail = fileTail(file, 4);
    expect(tail.read()).toEqual({ type: 'read', text: '6789', isNew: true });
    expect(tail.read()).toEqual({ type: 'read', text: '', isNew: false });
    appendFileSync(file, 'ab');
    expect(tail.read()).toEqual({ type: 'read', text: 'ab', isNew: false });
  });

  it('starts again when more was added than is read at a time', () => {
    const file = newFile('x');
    const tail = fileTail(file, 4);
    tail.read();
    appendFileSync(file, 'abcdefgh');
    expect(tail.read()).toEqual({ type: 'read', text: 'efgh', isNew: true });
  });

  it('starts again when the file was emptied or replaced', () => {
    const file = newFile('long enough');
    const tail = fileTail(file, 100);
    tail.read();
    truncateSync(file);
    appendFileSync(file, 'new');
    expect(tail.read()).toEqual({ type: 'read', text: 'new', isNew: true });
    renameSync(newFile('another file'), file);
    expect(tail.read()).toEqual({ type: 'read', text: 'another file', isNew: true });
  });

  it('waits for the rest of a character', () => {
    const bytes = Buffer.from('é');
    const file = newFile('');
    const tail = fileTail(file, 100);
    tail.read();
    appendFileSync(file, bytes.subarray(0, 1));
    expect(tail.read()).toMatchObject({ text: '' });
    appendFileSync(file, bytes.subarray(1));
    expect(tail.read()).toMatchObject({ text: 'é', isNew: false });
  });

  it('is missing for a missing file and for a folder', () => {
    expect(fileTail(path.join(folder, 'nothing'), 9).read()).toEqual({ type: 'missing' });
    expect(fileTail(folder, 9).read()).toEqual({ type: 'missing' });
  });
});
