import { pathToFileURL } from 'node:url';
import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import { UserError } from '../../system/userError.ts';
import { readWords } from '../commandWords.ts';
import {
  type AgentCommand,
  type AgentRequest,
  asPrinted,
  type HostAgent,
  unwired,
  type WiredAgent,
  type WiringWish,
} from '../host.ts';
import { hasOption, valuesOf } from '../optionWords.ts';
import { pluginOfLaunch } from '../pluginOfLaunch.ts';
import { headlessHint } from './headlessHint.ts';
import { opencodeSession, opencodeSpend, opencodeText } from './output.ts';
import { opencodeTrouble } from './trouble.ts';
import { OPENCODE_PLUGIN } from './wiring.ts';

/** Of `opencode run`, 1.18.33. */
const VALUED = new Set([
  ...['--log-level', '--command', '-s', '--session', '-m', '--model', '--agent', '--format', '-f', '--file'],
  ...['--title', '--attach', '-p', '--password', '-u', '--username', '--dir', '--port', '--variant'],
]);

/** Options of a run's beginning. */
const BEGINS = /^(?:-s|--session|-c|--continue|--fork|--title|-f|--file|--command)(?:=|$)/;

export const opencodeAgent: HostAgent = {
  title: 'opencode',
  command: opencodeCommand,
  taskWords: (prompt, words) => [prompt, ...words],
  continueWords: (session, text, words) => [
    text,
    ...(session === null ? ['--continue'] : ['--session', session]),
    ...optionsToKeep(words),
  ],
  wire: wireOpencode,
  whyChecksAreOff: async () => null,
  headlessHint,
  secrets: 'otherAgent',
  accountTrouble: opencodeTrouble,
  reportsFailures: false,
  exitCodeSettles: false,
  printsAnswer: false,
  isOwn: false,
  readsPermissions: false,
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

function optionsToKeep(words: readonly string[]): readonly string[] {
  const { options } = readWords(words, { valued: VALUED });
  return options.filter((word, at) => !BEGINS.test(word) && !isValueOf(options[at - 1] ?? ''));
}

const isValueOf = (option: string) => BEGINS.test(option) && VALUED.has(option);

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
  const file = await pluginOfLaunch('opencode', OPENCODE_PLUGIN, wish);
  const plugins = Array.isArray(config.plugin) ? config.plugin : [];
  const content = JSON.stringify({ ...config, plugin: [...plugins, pathToFileURL(file).href] });
  return { ...unwired(world), env: { ...world.env, OPENCODE_CONFIG_CONTENT: content } };
}
