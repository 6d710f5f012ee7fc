import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { entryPaths } from '../entryCommands.ts';
import { copilotEntries, hooksText } from './entries.ts';
import { standsAside } from './standsAside.ts';

const stopOnly = (source: 'user' | 'project', seconds = 3600) =>
  copilotEntries(['checks'], { ...entryPaths(), stopSeconds: seconds }, source).filter(({ event }) => event === 'Stop');

it.each([
  ['user', [], false],
  ['user', ['project', 'launch'], false],
  ['launch', ['project'], false],
  ['launch', ['user'], true],
  ['project', [], false],
  ['project', ['launch'], true],
  ['project', ['user'], true],
  // of Claude Code's settings
  [undefined, [], false],
  [undefined, ['project'], true],
  [undefined, ['user'], true],
  [undefined, ['launch'], true],
] as const)('an entry from %s beside those of %j: %s', async (source, others, aside) => {
  await using folder = await tempFolder();
  const at = (...names: string[]) => path.join(folder.path, ...names);
  const files = { user: at('home/.copilot/hooks'), project: at('p/.github/hooks') };
  for (const other of others) {
    if (other === 'launch') continue;
    mkdirSync(files[other], { recursive: true });
    writeFileSync(path.join(files[other], 'stopgate.json'), hooksText(stopOnly(other)));
  }
  const argv = source === undefined ? ['hook', 'stop'] : ['hook', 'stop', '--host', 'copilot', '--from', source];
  const launched = (others as readonly string[]).includes('launch') && { STOPGATE_COPILOT_LAUNCH: '1' };
  const env = { HOME: at('home'), ...launched };
  expect(standsAside('stop', { payload: { cwd: at('p') }, env, argv })).toBe(aside);
  // the other files have no such hook
  if (!others.some((other) => other === 'launch'))
    expect(standsAside('session-start', { payload: { cwd: at('p') }, env, argv })).toBe(false);
});

const OURS = hooksText(stopOnly('project'));

it.each([
  ['what we write', OURS, true],
  ['with a longer time', hooksText(stopOnly('project', 7200)), true],
  ['a note', '{"version":1,"hooks":{},"note":" hook stop  # stopgate"}', false],
  ['another program', OURS.replace('hook.cjs', 'other.cjs'), false],
  ['a command before it', OURS.replace('"bash": "', '"bash": "true; '), false],
  ['less time', hooksText(stopOnly('project', 1)), false],
  ['less time for Copilot CLI alone', OURS.replace('"timeoutSec": 3600', '"timeoutSec": 1'), false],
  ['another event', OURS.replace('"Stop"', '"PreToolUse"'), false],
  ['more fields', OURS.replace('"type"', '"cwd": "/", "type"'), false],
  ['another version', OURS.replace('"version": 1', '"version": 2'), false],
  ['switched off', OURS.replace('"version"', '"disableAllHooks": true, "version"'), false],
] as const)("a project's file counts only as we write it: %s", async (_what, text, aside) => {
  await using folder = await tempFolder();
  mkdirSync(path.join(folder.path, '.github/hooks'), { recursive: true });
  writeFileSync(path.join(folder.path, '.github/hooks/stopgate.json'), text);
  const asking = { payload: { cwd: folder.path }, env: { HOME: '/nowhere' }, argv: ['hook', 'stop'] };
  expect(standsAside('stop', asking)).toBe(aside);
});
