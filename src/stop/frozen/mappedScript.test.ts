import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import type { Frozen } from './frozen.ts';
import { stampFrozen, touchedSince } from './frozen.ts';

/** Maps a file, dirties its page, and writes each line into the mapping: no write call, no page fault, no new change time. */
const MAPS = `
import mmap, sys
f = open(sys.argv[1], 'r+b')
m = mmap.mmap(f.fileno(), 0)
m[0:1] = m[0:1]
print('mapped', flush=True)
for line in sys.stdin:
    m[0:len(line)] = line.encode()
    print('written', flush=True)
`;

const TMPFS = 0x01021994;

it.skipIf(statfsSync(tmpdir()).type === TMPFS)(
  'a script that is exchanged in its mapping and put back is seen',
  async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'check.sh');
    writeFileSync(file, 'exit 1\n');
    const frozen = { file: path.join(folder.path, 'stopgate.config.json'), files: [{ path: file }] };
    const child = spawn('python3', ['-c', MAPS, file], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    try {
      expect((await lines.next()).value).toBe('mapped');
      const before = stampFrozen(frozen as unknown as Frozen);
      for (const text of ['exit 0\n', 'exit 1\n']) {
        child.stdin.write(text);
        expect((await lines.next()).value).toBe('written');
        expect(readFileSync(file, 'utf8')).toBe(text);
      }
      expect(touchedSince(frozen as unknown as Frozen, before)).toMatchObject([{ what: 'check.sh' }]);
    } finally {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    }
  },
);
