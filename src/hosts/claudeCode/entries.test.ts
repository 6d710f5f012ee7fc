import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { HOST_FEATURES } from '../host.ts';
import { hookEntries } from './entries.ts';

it('has every feature, in one order, each command marked', () => {
  const entries = hookEntries(['landing', 'checks', 'countdown'], { packageRoot: '/p', stopgate: ['/n', '/p/b.js'] });
  expect(entries.map(({ event, matcher }) => [event, matcher])).toEqual([
    ['Stop', undefined],
    ['StopFailure', undefined],
    ['SessionStart', undefined],
    ['PreToolUse', 'Bash|Edit|Write|MultiEdit|NotebookEdit'],
    ['PostToolBatch', undefined],
    ['UserPromptSubmit', undefined],
    ['PreToolUse', '*'],
  ]);
  for (const { command } of entries) expect(command).toMatch(/^"\/.*" ?.* # stopgate$/);
  expect(entries[0]?.command).toMatch(/^"\/n" "\/p\/b\.js" hook stop /);
  expect(entries[1]?.command).toBe('"/p/profiles/default/hooks/stop-failure.sh" # stopgate');
  expect(entries[0]?.statusMessage).toBe('stopgate');
  expect(entries[3]?.command).toMatch(
    /^"\/p\/profiles\/default\/hooks\/gate-guard\.sh" "[^"]+" "\/p\/dist\/hook\.cjs"/,
  );
  expect(entries[4]?.command).toBe('"/p/profiles/default/hooks/budget-countdown.sh" PostToolBatch # stopgate');
  const events = hookEntries(['countdown'], { packageRoot: '/p', stopgate: ['/n'] }).map(({ event }) => event);
  expect(events).toEqual(['PostToolBatch', 'UserPromptSubmit', 'SessionStart']);
  expect(hookEntries([], { packageRoot: '/p', stopgate: [] })).toEqual([]);
  expect(HOST_FEATURES).toHaveLength(3);
});

it('a shell runs the command whatever the path is called', async () => {
  await using folder = await tempFolder();
  const root = path.join(folder.path, `it's "a" $HOME \`x\` \\ place`);
  const script = path.join(root, 'profiles/default/hooks/budget-countdown.sh');
  mkdirSync(path.dirname(script), { recursive: true });
  writeFileSync(script, '#!/bin/sh\necho ran "$#"\n');
  chmodSync(script, 0o755);
  const [entry] = hookEntries(['countdown'], { packageRoot: root, stopgate: [] });
  for (const shell of ['sh', 'bash']) {
    expect(execFileSync(shell, ['-c', entry?.command ?? ''], { encoding: 'utf8' })).toBe('ran 1\n');
  }
});
