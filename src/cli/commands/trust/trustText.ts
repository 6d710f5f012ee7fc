import path from 'node:path';
import type { TrustKind } from '../../../session/trust/trustItem.ts';
import type { Page } from '../../output/page.ts';
import { oneLine, visibleText } from '../../output/visibleText.ts';
import { describeMatcher, describeSecrets } from '../hooks/hookLines.ts';
import type { CheckEffect } from './checkEffects.ts';
import type { Difference, FileDifference, ItemChange } from './difference.ts';
import type { FolderContent } from './folderContent.ts';
import {
  type CommandEffect,
  type HookEffect,
  isNothing,
  type ServerEffect,
  type SettingEffect,
} from './trustEffects.ts';

/** Everything that trust would enable, in full: a number alone cannot be judged. */
export function effectsText(folder: string, { effects, content }: FolderContent, page: Page): string {
  const { hooks, settings, mcpServers, checks, commands, agents, instructions, problems } = effects;
  const none = 'Nothing here needs trust: no hooks, allow rules, variables, MCP servers or checks of its own.';
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Hooks, which run automatically', hooks.map((hook) => hookText(hook, page))],
    ['Settings', settings.map((setting) => settingText(setting, page))],
    ['MCP servers, which start with each session', mcpServers.map((one) => serverText(one, page))],
    ['Checks, which run when an agent stops', checks.map((check) => checkText(check, page))],
    ['Slash commands and skills', commands.map((command) => commandText(command, page))],
    ['Agents that replace yours, without its hooks', agents.map((name) => `  ${visibleText(name)}`)],
    ['Instructions from outside the folder', instructions.map((file) => `  ${visibleText(file)}`)],
    ['Files that these run', runFileLines(content)],
  ];
  return [
    page.paint('bold', visibleText(folder)),
    isNothing(effects) ? none : 'Trusting this folder enables:',
    ...sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : ['', page.paint('bold', title), ...lines])),
    ...problems.map((problem) => `\n${page.paint('yellow', page.block(visibleText(problem), 0))}`),
    '',
    page.block(
      'What you approve is what runs: an entry or file that changes later is off until you run `stopgate trust` again. Revoke trust with `stopgate trust --remove`.',
      0,
    ),
  ].join('\n');
}

function runFileLines({ files }: FolderContent['content']): readonly string[] {
  return Object.values(files).flatMap((file) => {
    if (file.is === 'missing') return [];
    if (file.is === 'file')
      return [`  ${visibleText(file.path)}${file.real === null ? '' : ` → ${visibleText(file.real)}`}`];
    const names = Object.entries(file.scripts).flatMap(([name, text]) => (text === null ? [] : [name]));
    return [`  ${visibleText(file.path)}  ${visibleText(names.map((name) => `"${name}"`).join(', '))}`];
  });
}

/** The complete command on all its lines: a part that is cut could be the one that matters. */
function hookText({ hook, stillNot }: HookEffect, page: Page): string {
  const { event, kind, label, matcher } = hook;
  const conditions = matcher === undefined ? [] : [describeMatcher(matcher)];
  const facts = [page.place(hook), ...conditions, ...describeSecrets(hook)].join(' · ');
  return [
    `  ${event}  ${kind}`,
    written(label, page),
    page.paint('dim', page.block(facts, 4)),
    ...(stillNot === null ? [] : [page.paint('yellow', page.block(`would still not run: ${stillNot}`, 4))]),
  ].join('\n');
}

function settingText({ path, because, values, ...at }: SettingEffect, page: Page): string {
  const why = page.paint('dim', page.block(`${page.place(at)}: ${because}`, 4));
  return [`  ${path}`, ...values.map((value) => written(value, page)), why].join('\n');
}

function serverText({ name, command, env }: ServerEffect, page: Page): string {
  const variables = Object.entries(env).map(([variable, value]) => written(`${variable}=${value}`, page));
  return [`  ${visibleText(name)}`, written(command, page), ...variables].join('\n');
}

function checkText({ name, command, cwd, file }: CheckEffect, page: Page): string {
  const where = cwd === path.dirname(file) ? '' : ` · runs in ${visibleText(cwd)}`;
  const title = name === command ? [] : [`  ${oneLine(name)}`];
  return [...title, written(command, page), page.paint('dim', page.block(`${page.place({ file })}${where}`, 4))].join(
    '\n',
  );
}

function commandText({ name, file, grants }: CommandEffect, page: Page): string {
  const lines = grants.map((grant) => written(grant, page));
  return [`  ${oneLine(name)}`, ...lines, page.paint('dim', page.block(page.place({ file }), 4))].join('\n');
}

const written = (text: string, page: Page) => page.quote(visibleText(text), '    │ ');

const KINDS: Readonly<Record<TrustKind, string>> = {
  hook: 'Hook',
  setting: 'Setting',
  server: 'MCP server',
  check: 'Check',
  definition: 'Definition of done',
  import: 'Import from outside the folder',
  command: 'Slash command or skill',
  agent: 'Agent that replaces yours',
};

/** Only what is not as it was approved. */
export function differenceText(folder: string, { items, files }: Difference, page: Page): string {
  return [
    `${page.paint('bold', visibleText(folder))}: changed since you trusted it.`,
    ...items.map((item) => `\n${itemText(item, page)}`),
    ...files.map((file) => `\n${fileText(file, page)}`),
  ].join('\n');
}

function itemText({ kind, id, how, before, after }: ItemChange, page: Page): string {
  const lines = (text: string | null, mark: string, color: 'red' | 'green') =>
    text === null ? [] : text.split('\n').map((line) => page.paint(color, `    ${mark} ${visibleText(line)}`));
  return [
    `${page.paint('bold', KINDS[kind])} ${how}  ${page.paint('dim', oneLine(id))}`,
    ...lines(how === 'added' ? null : before, '-', 'red'),
    ...lines(after, '+', 'green'),
  ].join('\n');
}

function fileText({ path: file, how, diff }: FileDifference, page: Page): string {
  const title = `${page.paint('bold', 'File')} ${how}  ${visibleText(file)}`;
  if (diff === '') return `${title}\n    (no earlier text was kept to compare with, or it is not text)`;
  const painted = diff
    .trimEnd()
    .split('\n')
    .map((line) => {
      const color = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : null;
      const text = `    ${visibleText(line)}`;
      return color === null ? text : page.paint(color, text);
    });
  return [title, ...painted].join('\n');
}
