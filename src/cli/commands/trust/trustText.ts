import path from 'node:path';
import type { Page } from '../../output/page.ts';
import { oneLine, visibleText } from '../../output/visibleText.ts';
import { describeMatcher, describeSecrets } from '../hooks/hookLines.ts';
import {
  type CheckEffect,
  type HookEffect,
  isNothing,
  type ServerEffect,
  type SettingEffect,
  type TrustEffects,
} from './trustEffects.ts';

/** Everything that trust would enable, in full: a number alone cannot be judged. */
export function effectsText(folder: string, effects: TrustEffects, page: Page): string {
  const { hooks, settings, mcpServers, checks, instructions, problems } = effects;
  const none = 'Nothing here needs trust: no hooks, allow rules, variables, MCP servers or checks of its own.';
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Hooks, which run automatically', hooks.map((hook) => hookText(hook, page))],
    ['Settings', settings.map((setting) => settingText(setting, page))],
    ['MCP servers, which start with each session', mcpServers.map((one) => serverText(one, page))],
    ['Checks, which run when an agent stops', checks.map((check) => checkText(check, page))],
    ['Instructions from outside the folder', instructions.map((file) => `  ${visibleText(file)}`)],
  ];
  return [
    page.paint('bold', visibleText(folder)),
    isNothing(effects) ? none : 'Trusting this folder enables:',
    ...sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : ['', page.paint('bold', title), ...lines])),
    ...problems.map((problem) => `\n${page.paint('yellow', page.block(visibleText(problem), 0))}`),
    '',
    page.block('Trust also covers later changes to these files; revoke it with `stopgate trust --remove`.', 0),
  ].join('\n');
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

const written = (text: string, page: Page) => page.quote(visibleText(text), '    │ ');
