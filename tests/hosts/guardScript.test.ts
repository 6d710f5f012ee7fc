import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../src/testing/tempFolder.ts';

const SCRIPT = path.join(import.meta.dirname, '../../profiles/default/hooks/gate-guard.sh');
const text = 'x'.repeat(10_000);

it.each([
  ['an edit of Copilot CLI', { path: '/p/a.txt', file_text: text }, false],
  ['one of the definition of done', { path: '/p/stopgate.config.json', file_text: text }, true],
  ['one with two paths', { edits: [{ path: '/p/a.txt' }, { path: '/p/b.txt' }], file_text: text }, true],
  ['a patch', { input: `*** Begin Patch\n*** Add File: a.txt\n+${text}` }, true],
  ['an edit of Claude Code', { file_path: '/p/a.txt', content: text }, false],
])('a long call that is %s may start Node', async (_what, input, starts) => {
  await using folder = await tempFolder();
  const [node, hook, started] = ['node', 'hook.cjs', 'started'].map((name) => path.join(folder.path, name));
  writeFileSync(node ?? '', `#!/bin/sh\necho "$@" > '${started}'\n`, { mode: 0o755 });
  writeFileSync(hook ?? '', '');
  const call = JSON.stringify({ cwd: '/p', tool_name: 'Edit', tool_input: input });
  execFileSync(SCRIPT, [node ?? '', hook ?? '', '--host', 'copilot'], { input: call });
  expect(existsSync(started ?? '')).toBe(starts);
});
