import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
// @ts-expect-error plain modules that also run by themselves
import { screensIn, whyNotTrue } from '../../scripts/terminal/document.mjs';
// @ts-expect-error plain modules that also run by themselves
import { playScenario } from '../../scripts/terminal/play.mjs';
// @ts-expect-error plain modules that also run by themselves
import { stopgate } from '../../scripts/terminal/programs.mjs';
// @ts-expect-error plain modules that also run by themselves
import { SCENARIOS } from '../../scripts/terminal/scenarios.mjs';
// @ts-expect-error plain modules that also run by themselves
import { SECTIONS } from '../../scripts/terminal/sections.mjs';
// @ts-expect-error plain modules that also run by themselves
import { openStage } from '../../scripts/terminal/stage.mjs';
// @ts-expect-error plain modules that also run by themselves
import { tmuxVersion } from '../../scripts/terminal/tmux.mjs';
import { KEYS } from '../../src/cli/commands/session/keys.ts';
import { SLASH_COMMANDS } from '../../src/cli/commands/session/slash/slashCommands.ts';

type Screens = Readonly<Record<string, string>>;

const ROOT = path.join(import.meta.dirname, '../..');
const DOCUMENT = readFileSync(path.join(ROOT, 'docs/terminal.md'), 'utf8');
const hasTmux = tmuxVersion() !== null;
if (!hasTmux) process.stdout.write('The screens in tests/terminal/screens.test.ts are skipped: tmux was not found.\n');

const shown = new Set<string>();

describe.skipIf(!hasTmux)('in tmux', () => {
  it.each(Object.keys(SCENARIOS))('%s shows what it must', { timeout: 90_000 }, async (name) => {
    const screens: Screens = await playScenario(name, stopgate);
    for (const section of Object.keys(screens)) shown.add(section);
    expect(whyNotTrue({ stopgate: screens })).toEqual([]);
  });

  it('the scrollback has what was printed, and no copy of the live part', async () => {
    await using stage = await openStage(stopgate, { answer: () => ({ text: 'Hello.' }) });
    await stage.submit('say hello');
    await stage.sees('⏹ Done.');
    const lines: readonly string[] = await stage.all();
    const count = (text: string) => lines.filter((line) => line.includes(text)).length;
    expect(count('Hello.')).toBe(1);
    expect(count('/help ·'), lines.join('\n')).toBe(1);
  });

  it('every section of the document comes from a scenario', () => {
    expect([...shown].toSorted()).toEqual(Object.keys(SECTIONS).toSorted());
  });
});

describe('docs/terminal.md', () => {
  const recorded: Readonly<Record<string, { stopgate: string; claudeCode: string }>> = screensIn(DOCUMENT);

  it('has both screens of every section, and they show what they must', () => {
    expect(Object.keys(recorded)).toEqual(Object.keys(SECTIONS));
    const of = (key: 'stopgate' | 'claudeCode') =>
      Object.fromEntries(Object.entries(recorded).map(([name, both]) => [name, both[key]]));
    expect(whyNotTrue({ stopgate: of('stopgate'), claudeCode: of('claudeCode') })).toEqual([]);
  });

  it.each(KEYS.map(({ shown: key }) => key))('names the key %s', (key) => expect(DOCUMENT).toContain(`| \`${key}\` |`));

  it.each(Object.entries(SLASH_COMMANDS))('names the command /%s', (name, { hint }) => {
    const written = `/${name} ${hint ?? ''}`.trim();
    expect(DOCUMENT).toMatch(new RegExp(`^\\|.*\`${written.replace(/[[\]/]/g, '\\$&')}\`.*\\|`, 'm'));
  });
});

it('the script says in one sentence that tmux is missing', () => {
  const script = path.join(ROOT, 'scripts/terminal-screens.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], { env: { PATH: '/nonexistent' }, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'tmux was not found: install it (apt-get install tmux) and run this again.\n',
  });
});
