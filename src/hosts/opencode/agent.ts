import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import { textIn } from '../../system/readTextFile.ts';
import { UserError } from '../../system/userError.ts';
import { keptOptions } from '../commandWords.ts';
import type { AgentCommand, AgentRequest, HostAgent, HostPlaces, WiredAgent, WiringWish } from '../host.ts';
import { hasOption, valuesOf } from '../optionWords.ts';
import { asPrinted, PLAIN_AGENT, unwired } from '../plainAgent.ts';
import { pluginOfLaunch } from '../plugin.ts';
import { opencodeSession, opencodeSpend, opencodeText, opencodeTrouble } from './output.ts';
import { OPENCODE_PLUGIN, opencodeHome } from './wiring.ts';

/** Of `opencode run`, 1.18.33. */
const VALUED = new Set([
  ...['--log-level', '--command', '-s', '--session', '-m', '--model', '--agent', '--format', '-f', '--file'],
  ...['--title', '--attach', '-p', '--password', '-u', '--username', '--dir', '--port', '--variant'],
]);

/** Options of a run's beginning. */
const BEGINS = /^(?:-s|--session|-c|--continue|--fork|--title|-f|--file|--command)(?:=|$)/;

export const opencodeAgent: HostAgent = {
  ...PLAIN_AGENT,
  title: 'opencode',
  command: opencodeCommand,
  taskWords: (prompt, words) => [prompt, ...words],
  continueWords: (session, text, words) => [
    text,
    ...(session === null ? ['--continue'] : ['--session', session]),
    ...keptOptions(words, { valued: VALUED }, BEGINS),
  ],
  wire: wireOpencode,
  whyChecksAreOff: async () => null,
  headlessHint,
  secrets: 'otherAgent',
  accountTrouble: opencodeTrouble,
  install: 'install opencode (npm install -g opencode-ai)',
};

/** Without plugins it never asks: the launch or the worker does. */
const pureAgent: HostAgent = {
  ...opencodeAgent,
  neverAsks: true,
  wire: async ({ world }) =>
    unwired(world, [
      'opencode loads no plugins (--pure or OPENCODE_PURE): it is not told the time, no tool call is refused, and its stops are checked after it ended.',
    ]),
};

/** `opencode run`: its JSON lines have the session and what it spends, and are shown as text unless `--format` is among the words. */
function opencodeCommand({ words, env, interactive, tokenBudget, maxBudgetUsd }: AgentRequest): AgentCommand {
  const own = words[0] === 'run' ? words.slice(1) : words;
  const agent = hasOption(own, '--pure') || env.OPENCODE_PURE ? pureAgent : opencodeAgent;
  const base = { name: 'opencode', file: 'opencode', agent };
  if (interactive) return { ...base, args: words, spend: { in: 'nowhere' }, form: asPrinted };
  const format = valuesOf(own, ['--format'])[0];
  if (format !== undefined && format !== 'json') {
    if (tokenBudget !== undefined || maxBudgetUsd !== undefined)
      throw new UserError(`A budget cannot be enforced with --format ${format}, which reports no use; remove it.`);
    return { ...base, args: ['run', ...own], spend: { in: 'nowhere' }, form: asPrinted };
  }
  return {
    ...base,
    args: ['run', ...(format === undefined ? ['--format', 'json'] : []), ...own],
    spend: { in: 'output', reader: opencodeSpend },
    form: format === undefined ? opencodeText : asPrinted,
    sessionIn: opencodeSession,
  };
}

/** By its environment, so that no file of the project or of the user's settings changes. */
async function wireOpencode(wish: WiringWish): Promise<WiredAgent> {
  const { world } = wish;
  const given = world.env.OPENCODE_CONFIG_CONTENT;
  const config = given ? jsonValue(given) : {};
  if (!isObject(config))
    throw new UserError(
      'OPENCODE_CONFIG_CONTENT is not a JSON object, so the plugin of Stopgate cannot be added; fix it.',
    );
  const file = await pluginOfLaunch(OPENCODE_PLUGIN, wish);
  const plugins = Array.isArray(config.plugin) ? config.plugin : [];
  const content = JSON.stringify({ ...config, plugin: [...plugins, pathToFileURL(file).href] });
  return { ...unwired(world), env: { ...world.env, OPENCODE_CONFIG_CONTENT: content } };
}

const NAMES = ['opencode.json', 'opencode.jsonc'];

/** A sentence when its settings ask for permissions, which a headless run rejects. */
function headlessHint(words: readonly string[], folder: string, places: HostPlaces): string | null {
  if (hasOption(words, '--auto')) return null;
  const folders = [opencodeHome(places), folder];
  const files = [...folders, path.join(folder, '.opencode')].flatMap((at) => NAMES.map((name) => path.join(at, name)));
  const asking = files.find((file) => /"permission"\s*:.*"ask"/s.test(textIn(file)));
  if (asking === undefined) return null;
  return `opencode run rejects what it would ask for, which ends its turn, and ${asking} asks for permissions: allow what the task needs there, or add --auto after --.`;
}
