import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../system/atomicFile.ts';
import { systemIds } from '../../system/ids.ts';
import { textIn } from '../../system/readTextFile.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import type { AgentCommand, AgentRequest, HostAgent, HostPlaces, WiredAgent, WiringWish } from '../host.ts';
import { launchPaths } from '../launchPaths.ts';
import { offByFile } from '../offByFile.ts';
import { asPrinted, PLAIN_AGENT, unwired } from '../plainAgent.ts';
import { takeOption } from '../promptWords.ts';
import { asPrompt, copilotOptions, sessionIn } from './copilotWords.ts';
import { copilotEntries, hooksText } from './entries.ts';
import { copilotSession, copilotText, copilotTrouble } from './output.ts';
import { copilotSpend } from './spend.ts';
import { COPILOT_LAUNCH } from './standsAside.ts';
import { copilotWiring, hooksFile, offFile } from './wiring.ts';

export const copilotAgent: HostAgent = {
  ...PLAIN_AGENT,
  title: 'Copilot CLI',
  command: copilotCommand,
  taskWords: (prompt, words) => ['-p', prompt, ...words, '--allow-tool=shell(stopgate:*)'],
  continueWords: (session, text, words) => [
    ...copilotOptions(words),
    session === null ? '--continue' : `--resume=${session}`,
    '-p',
    text,
  ],
  wire: wireCopilot,
  whyChecksAreOff: async (_command, folder, world) => {
    const file = offFile(folder, world);
    return file === null ? null : offByFile(`disableAllHooks is set in ${file}`, file, folder);
  },
  promptBlocks: 8,
  headlessHint,
  secrets: 'copilotAgent',
  accountTrouble: copilotTrouble,
  install: 'install Copilot CLI (npm install -g @github/copilot)',
};

const FORMAT = ['--output-format'];

/** Its JSON lines have the reason of a failure; shown as text unless they were asked for. */
function copilotCommand({ words, env, tokenBudget, maxBudgetUsd, interactive }: AgentRequest): AgentCommand {
  const base = { name: 'copilot', file: 'copilot', agent: copilotAgent } as const;
  if (interactive) return { ...base, args: words, spend: { in: 'nowhere' }, form: asPrinted };
  const { value: format, others } = takeOption(asPrompt(words), FORMAT);
  const named = sessionIn(others);
  if (named === 'last' && (tokenBudget !== undefined || maxBudgetUsd !== undefined))
    throw new UserError(
      '--token-budget and --max-budget-usd need to know the session; use --resume=ID instead of --continue.',
    );
  // what it spends is in its record of the session, which only an id finds
  const id = named ?? systemIds.uuid();
  return {
    ...base,
    args: [...others, ...(named === null ? ['--session-id', id] : []), ...FORMAT, 'json'],
    spend: id === 'last' ? { in: 'nowhere' } : { in: 'output', reader: copilotSpend(id, env) },
    form: format === 'json' ? asPrinted : copilotText,
    sessionIn: copilotSession,
  };
}

const GIVES_PERMISSION = /^--(?:allow-(?:all|all-tools|tool)|yolo|assisted-approval)(?:=|$)/;

function headlessHint(words: readonly string[], _folder: string, { env }: HostPlaces): string | null {
  if (env.COPILOT_ALLOW_ALL || words.some((word) => GIVES_PERMISSION.test(word))) return null;
  return 'Copilot CLI runs headless and cannot ask for permission, and only reading is allowed in advance: add for example `--allow-tool write --allow-tool "shell(npm:*)"` or `--allow-all-tools` after --.';
}

/** As a plugin for one run, so that no file of the user is touched; what `init` wrote for the user is not added again. */
async function wireCopilot(wish: WiringWish): Promise<WiredAgent> {
  const { features, folder, world } = wish;
  const entries = copilotEntries(features, await launchPaths(wish), 'launch');
  const there = textIn(hooksFile('user', world));
  const missing = entries.filter(({ event, command }) => !isThere(there, event, command));
  const env = { ...world.env, [COPILOT_LAUNCH]: '1' };
  const off = await copilotWiring.whyOff(folder, world);
  const notes = off === null ? [] : [off];
  if (missing.length === 0) return { ...unwired(world, notes), env };
  return { ...unwired(world, notes), env, args: ['--plugin-dir', await pluginFolder(hooksText(missing), world)] };
}

/** By the name of the script or of the hook: its options may differ. */
function isThere(text: string, event: string, command: string): boolean {
  const name = / (hook [\w-]+) /.exec(command)?.[1] ?? /\/([\w-]+\.sh)"/.exec(command)?.[1] ?? command;
  const [, ofEvent = ''] = text.split(`"${event}": [`);
  return ofEvent.split('\n    ]')[0]?.includes(name) === true;
}

/** One folder for each content: launches that need the same share it. */
async function pluginFolder(hooks: string, { stopgateHome }: World): Promise<string> {
  const { hash } = await import('node:crypto');
  const name = hash('sha256', hooks).slice(0, 16);
  const folder = path.join(stopgateHome, 'hosts', 'copilot', name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const about = { name: 'stopgate', version: '1.0.0', description: 'Hooks of a launch', hooks: 'hooks.json' };
  await writeFileAtomically(path.join(folder, 'hooks.json'), hooks);
  await writeFileAtomically(path.join(folder, 'plugin.json'), `${JSON.stringify(about)}\n`);
  return folder;
}
