import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { terminalText } from '../../system/terminalText.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { paintFor } from './colors.ts';
import { unifiedDiff } from './unifiedDiff.ts';

const plain = paintFor(false, {});

it('shows a new file, a deleted one, and nothing for none', () => {
  expect(unifiedDiff({ name: 'f', before: null, after: 'a\n' }, plain)).toBe(
    '--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a\n',
  );
  expect(unifiedDiff({ name: 'f', before: 'a', after: null }, plain)).toBe(
    '--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n\\ No newline at end of file\n',
  );
  expect(unifiedDiff({ name: 'f', before: 'a\n', after: 'a\n' }, plain)).toBe('');
});

it('can be applied by git', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 'file');
  const line = fc.constantFrom('a', 'b', 'c', '{', '}');
  const text = fc.array(line, { minLength: 1, maxLength: 25 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, fc.boolean(), (from, to, ends) => {
      if (from === to) return;
      const [before, after] = ends ? [`${from}\n`, `${to}\n`] : [from, to];
      writeFileSync(file, before);
      const input = unifiedDiff({ name: 'x/file', before, after }, plain);
      execFileSync('git', ['apply', '-'], { cwd: folder.path, input });
      expect(readFileSync(file, 'utf8')).toBe(after);
    }),
    { numRuns: 40 },
  );
});

it('paints removed and added lines', () => {
  const diff = terminalText(unifiedDiff({ name: 'f', before: 'a\n', after: 'b\n' }, paintFor(true, {})));
  expect(diff).toContain('\u001b[31m-a');
  expect(diff).toContain('\u001b[32m+b');
  expect(unifiedDiff({ name: 'f', before: 'a\n', after: 'b\n' }, paintFor(true, { NO_COLOR: '1' }))).not.toContain(
    '\u001b',
  );
});
