import path from 'node:path';
import type { Page } from '../../output/page.ts';
import { oneLine, visibleText } from '../../output/visibleText.ts';
import { describeMatcher, describeSecrets } from '../hooks/hookLines.ts';
import {
  isNothing,
  type TrustEffects,
  type WaitingCheck,
  type WaitingHook,
  type WaitingServer,
  type WaitingSetting,
} from './trustEffects.ts';

/** What trust would switch on, each thing written out: nobody can judge a number. */
export function effectsText(folder: string, effects: TrustEffects, page: Page): string {
  const { hooks, settings, mcpServers, checks, instructions, problems } = effects;
  const none = 'Nothing in it waits for trust: no hooks, allow rules, variables, MCP servers or checks of its own.';
  return [
    `${page.paint('bold', visibleText(folder))}`,
    isNothing(effects) ? none : 'Trusting this folder switches on:',
    ...part(
      'Hooks, which run by themselves',
      hooks.map((hook) => hookText(hook, page)),
      page,
    ),
    ...part(
      'Settings',
      settings.map((setting) => settingText(setting, page)),
      page,
    ),
    ...part(
      'MCP servers, which are started with each session',
      mcpServers.map((one) => serverText(one, page)),
      page,
    ),
    ...part(
      'Checks, which run when an agent stops',
      checks.map((check) => checkText(check, page)),
      page,
    ),
    ...part(
      'Instructions from outside the folder',
      instructions.map((file) => `  ${visibleText(file)}`),
      page,
    ),
    ...problems.map((problem) => `\n${page.paint('yellow', page.block(visibleText(problem), 0))}`),
    '',
    page.block('It also holds for what these files say later; take it back with `stopgate trust --remove`.', 0),
  ].join('\n');
}

function part(title: string, lines: readonly string[], { paint }: Page): readonly string[] {
  return lines.length === 0 ? [] : ['', paint('bold', title), ...lines];
}

/** The command whole, on as many lines as it has: what is cut could be what matters. */
function hookText({ hook, stillNot }: WaitingHook, page: Page): string {
  const { event, kind, label, matcher } = hook;
  const conditions = matcher === undefined ? [] : [describeMatcher(matcher)];
  const facts = [page.place(hook), ...conditions, ...describeSecrets(hook)].join(' · ');
  return [
    `  ${event}  ${kind}`,
    written(label, page),
    page.paint('dim', page.block(facts, 4)),
    ...(stillNot === null ? [] : [page.paint('yellow', page.block(`still not run: ${stillNot}`, 4))]),
  ].join('\n');
}

function settingText({ path, because, values, ...at }: WaitingSetting, page: Page): string {
  const why = page.paint('dim', page.block(`${page.place(at)}: ${because}`, 4));
  return [`  ${path}`, ...values.map((value) => written(value, page)), why].join('\n');
}

function serverText({ name, command, env }: WaitingServer, page: Page): string {
  const variables = Object.entries(env).map(([variable, value]) => written(`${variable}=${value}`, page));
  return [`  ${visibleText(name)}`, written(command, page), ...variables].join('\n');
}

function checkText({ name, command, cwd, file }: WaitingCheck, page: Page): string {
  const where = cwd === path.dirname(file) ? '' : ` · runs in ${visibleText(cwd)}`;
  const title = name === command ? [] : [`  ${oneLine(name)}`];
  return [...title, written(command, page), page.paint('dim', page.block(`${page.place({ file })}${where}`, 4))].join(
    '\n',
  );
}

const written = (text: string, page: Page) => page.quote(visibleText(text), '    │ ');
