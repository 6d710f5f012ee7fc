import type { TrustedFile, TrustedItem } from '../../../schemas/trust.ts';
import type { TrustKind } from '../../../session/trust/trustItem.ts';
import type { JudgeRule } from '../../../stop/checks/types.ts';
import { formatBytes } from '../../../system/formatBytes.ts';
import { formatSeconds } from '../../../system/formatDuration.ts';
import type { Page } from '../../output/page.ts';
import { oneLine, visibleText } from '../../output/visibleText.ts';
import { describeMatcher, describeSecrets } from '../hooks/hookLines.ts';
import { type CheckEffect, checkFacts, type DefinitionEffect } from './checkEffects.ts';
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
export function effectsText(folder: string, now: FolderContent, page: Page, show: ShownFiles = 'sizes'): string {
  const { effects } = now;
  const { hooks, settings, mcpServers, checks, definition, commands, agents, instructions, problems } = effects;
  const none = 'Nothing here needs trust: no hooks, allow rules, variables, MCP servers or checks of its own.';
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Hooks, which run automatically', hooks.map((hook) => hookText(hook, page))],
    ['Settings', settings.map((setting) => settingText(setting, page))],
    ['MCP servers, which start with each session', mcpServers.map((one) => serverText(one, page))],
    ['Checks, which run when an agent stops', checks.map((check) => checkText(check, page))],
    ['Besides the checks', definition === null ? [] : definitionLines(definition, page)],
    ['Slash commands and skills', commands.map((command) => commandText(command, page))],
    ['Agents that replace yours, without its hooks', agents.map((name) => page.block(visibleText(name), 2))],
    ['Instructions from outside the folder', instructions.map((file) => page.block(visibleText(file), 2))],
    ['Files that these run', runFileLines(now, page, show)],
  ];
  return [
    page.paint('bold', page.block(visibleText(folder), 0)),
    isNothing(effects) ? page.block(none, 0) : 'Trusting this folder enables:',
    ...sections.flatMap(([title, lines]) =>
      lines.length === 0 ? [] : ['', page.paint('bold', page.block(title, 0)), ...lines],
    ),
    ...problems.map((problem) => `\n${page.paint('yellow', page.block(visibleText(problem), 0))}`),
    '',
    page.block(
      'What you approve is what runs: an entry or file that changes later is off until you run `stopgate trust` again. Revoke trust with `stopgate trust --remove`.',
      0,
    ),
  ].join('\n');
}

/** Whether the files that run are listed by size, or with what is in them. */
type ShownFiles = 'sizes' | 'contents';

function definitionLines(
  { protect, editable, stallAfter, maxBlocks, judge }: DefinitionEffect,
  page: Page,
): readonly string[] {
  const globs = (title: string, list: readonly string[]) =>
    list.length === 0 ? [] : [page.block(title, 2), ...list.map((glob) => written(glob, page))];
  return [
    ...globs('protect (a session must not change these)', protect),
    ...globs('editable (agents may change these, although checks run them)', editable),
    ...(judge ? judgeLines(judge, page) : []),
    page.block(`gives up after ${stallAfter} stops without progress, or ${maxBlocks} blocked stops`, 2),
  ];
}

function judgeLines({ criteria, model, timeoutMs, onError, maxRejections }: JudgeRule, page: Page): readonly string[] {
  const times = maxRejections === 1 ? 'one rejection' : `${maxRejections} rejections`;
  const without = onError === 'accept' ? 'work without a verdict is done' : 'work without a verdict waits for one';
  const by = model ?? 'the default model of the verifier';
  return [
    page.block('judge (a model that gets the diff of a completed task, after its checks have passed)', 2),
    page.block(
      visibleText(`${by} · at most ${formatSeconds(timeoutMs)} · ${without} · a person decides after ${times}`),
      4,
    ),
    ...(criteria === null ? [] : [written(criteria, page)]),
  ];
}

function runFileLines({ content, texts }: FolderContent, page: Page, show: ShownFiles): readonly string[] {
  return Object.entries(content.files).flatMap(([key, file]) => {
    if (file.is === 'missing') return [];
    const by = content.items.filter(({ files }) => files.includes(key)).map(describeRunner);
    const title = page.block(`${describeFile(file)}, run by ${by.join(' and ')}`, 2);
    const text = file.is === 'scripts' ? scriptLines(file.scripts) : show === 'contents' ? texts[file.digest] : '';
    if (text === undefined) return [title, page.block('(not shown: it is too large, or not text)', 4)];
    return text === '' ? [title] : [title, written(text.replace(/\n$/, ''), page)];
  });
}

function describeFile(file: Exclude<TrustedFile, { is: 'missing' }>): string {
  const name = visibleText(file.path);
  if (file.is === 'scripts') return name;
  const link = file.real === null ? '' : ` → ${visibleText(file.real)}`;
  return `${name}${link}${file.bytes === undefined ? '' : ` (${formatBytes(file.bytes)})`}`;
}

/** `the check tests`, `the hook settings.json hooks.Stop[0]`. */
const describeRunner = ({ kind, id }: TrustedItem) => `the ${RUNNERS[kind as TrustKind] ?? kind} ${oneLine(id)}`;

/** The commands themselves: a name alone cannot be judged. */
const scriptLines = (scripts: Readonly<Record<string, string | null>>) =>
  Object.entries(scripts)
    .flatMap(([name, text]) => (text === null ? [] : [`${name}: ${text}`]))
    .join('\n');

/** The complete command on all its lines: a part that is cut could be the one that matters. */
function hookText({ hook, stillNot }: HookEffect, page: Page): string {
  const { event, kind, label, matcher } = hook;
  const conditions = matcher === undefined ? [] : [describeMatcher(matcher)];
  const facts = [page.place(hook), ...conditions, ...describeSecrets(hook)].join(' · ');
  return [
    page.block(`${event}  ${kind}`, 2),
    written(label, page),
    page.paint('dim', page.block(facts, 4)),
    ...(stillNot === null ? [] : [page.paint('yellow', page.block(`would still not run: ${stillNot}`, 4))]),
  ].join('\n');
}

function settingText({ path, because, values, ...at }: SettingEffect, page: Page): string {
  const why = page.paint('dim', page.block(`${page.place(at)}: ${because}`, 4));
  return [page.block(path, 2), ...values.map((value) => written(value, page)), why].join('\n');
}

function serverText({ name, command, env }: ServerEffect, page: Page): string {
  const variables = Object.entries(env).map(([variable, value]) => written(`${variable}=${value}`, page));
  return [page.block(visibleText(name), 2), written(command, page), ...variables].join('\n');
}

function checkText(check: CheckEffect, page: Page): string {
  const { name, command, file } = check;
  const title = name === command ? [] : [page.block(oneLine(name), 2)];
  const facts = [page.place({ file }), ...checkFacts(check)].map(visibleText).join(' · ');
  return [...title, written(command, page), page.paint('dim', page.block(facts, 4))].join('\n');
}

function commandText({ name, file, grants }: CommandEffect, page: Page): string {
  const lines = grants.map((grant) => written(grant, page));
  return [page.block(oneLine(name), 2), ...lines, page.paint('dim', page.block(page.place({ file }), 4))].join('\n');
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

/** The same in a sentence. */
const RUNNERS: Readonly<Record<TrustKind, string>> = {
  hook: 'hook',
  setting: 'setting',
  server: 'MCP server',
  check: 'check',
  definition: 'definition of done',
  import: 'import',
  command: 'slash command',
  agent: 'agent',
};

/** Only what is not as it was approved. */
export function differenceText(folder: string, { items, files }: Difference, page: Page): string {
  return [
    page.paint('bold', page.block(`${visibleText(folder)}: changed since you trusted it.`, 0)),
    ...items.map((item) => `\n${itemText(item, page)}`),
    ...files.map((file) => `\n${fileText(file, page)}`),
  ].join('\n');
}

function itemText({ kind, id, how, before, after }: ItemChange, page: Page): string {
  const lines = (text: string | null, mark: string, color: 'red' | 'green') =>
    text === null ? [] : [page.paint(color, page.quote(visibleText(text), `    ${mark} `))];
  return [
    page.paint('bold', page.block(`${KINDS[kind]} ${how}  ${oneLine(id)}`, 0)),
    ...lines(how === 'added' ? null : before, '-', 'red'),
    ...lines(after, '+', 'green'),
  ].join('\n');
}

function fileText({ path: file, how, diff }: FileDifference, page: Page): string {
  const title = page.paint('bold', page.block(`File ${how}  ${visibleText(file)}`, 0));
  const none = '(no earlier text was kept to compare with, or it is not text)';
  if (diff === '') return `${title}\n${page.block(none, 4)}`;
  const painted = diff
    .trimEnd()
    .split('\n')
    .map((line) => {
      const color = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : null;
      const text = page.quote(visibleText(line), '    ');
      return color === null ? text : page.paint(color, text);
    });
  return [title, ...painted].join('\n');
}
