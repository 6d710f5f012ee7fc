import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { holdInProject } from '../holdInProject.ts';
import type { AgentCommand, AgentRequest, HostAgent, HostPlaces, WiredAgent, WiringWish } from '../host.ts';
import { launchPaths } from '../launchPaths.ts';
import { offByFile } from '../offByFile.ts';
import { hasOption } from '../optionWords.ts';
import { asPrinted, PLAIN_AGENT } from '../plainAgent.ts';
import { asPrompt, type PromptOptions, takeOption, withoutPrompt } from '../promptWords.ts';
import { fieldIn } from '../streams/eventLines.ts';
import { streamSpend } from '../streams/streamSpend.ts';
import { geminiEntries } from './entries.ts';
import { asText, geminiSpend } from './output.ts';
import { isTrusted, setting } from './places.ts';
import { geminiTrouble } from './trouble.ts';
import { GEMINI_SETTINGS, switchedOff, whyOff } from './wiring.ts';

const OPTIONS: PromptOptions = {
  prompt: ['-p', '--prompt'],
  session: ['-r', '--resume', '--session-id', '--session-file'],
  plain: ['-y', '--yolo', '-d', '--debug', '-s', '--sandbox', '--skip-trust', '--raw-output', '--screen-reader'],
};

/** A worker's agent must always be allowed to settle its task. */
const MAY_SETTLE = '--allowed-tools=run_shell_command(stopgate task)';

export const geminiAgent: HostAgent = {
  ...PLAIN_AGENT,
  title: 'Gemini CLI',
  command: geminiCommand,
  taskWords: (prompt, words) => ['-p', prompt, ...words, MAY_SETTLE],
  continueWords: (session, text, words) => [
    ...['--resume', session ?? 'latest', '-p', text],
    ...withoutPrompt(words, OPTIONS),
  ],
  wire: wireGemini,
  whyChecksAreOff: async ({ args }, folder, world) => {
    const unhooked = whyUnhooked(args, folder, world);
    const off = switchedOff(folder, world);
    if (unhooked !== null || off === null) return unhooked;
    return offByFile(`${off.how} in ${off.file}`, off.file, folder);
  },
  headlessHint,
  secrets: 'geminiAgent',
  accountTrouble: geminiTrouble,
  exitsWithStatus: true,
  install: 'install Gemini CLI (npm install -g @google/gemini-cli)',
};

const FORMAT = ['-o', '--output-format'] as const;

function geminiCommand({ words, tokenBudget, maxBudgetUsd, interactive }: AgentRequest): AgentCommand {
  if (maxBudgetUsd !== undefined)
    throw new UserError(
      '--max-budget-usd cannot be enforced with --agent gemini, which reports what it used only at its end; use --token-budget.',
    );
  const base = { name: 'gemini', file: 'gemini', agent: geminiAgent };
  if (interactive) return { ...base, args: words, spend: { in: 'nowhere' }, form: asPrinted };
  const { value: format = 'text', others } = takeOption(asPrompt(words, OPTIONS), FORMAT);
  const sessionIn = fieldIn('init', 'session_id');
  if (format === 'json') {
    if (tokenBudget !== undefined)
      throw new UserError(
        '--token-budget cannot be enforced with -o json, which prints only its end; use stream-json.',
      );
    return { ...base, args: [...others, '-o', 'json'], spend: { in: 'nowhere' }, form: asPrinted };
  }
  return {
    ...base,
    args: [...others, '-o', 'stream-json'],
    spend: { in: 'output', reader: (costOf) => streamSpend(geminiSpend(), costOf) },
    form: format === 'stream-json' ? asPrinted : asText,
    sessionIn,
  };
}

/**
 * In the project's settings: a system settings file must belong to root, and the user's own would reach every other session
 * of theirs.
 */
async function wireGemini(wish: WiringWish): Promise<WiredAgent> {
  const { command, features, folder, world } = wish;
  const entries = geminiEntries(features, await launchPaths(wish));
  const held = { host: 'gemini', name: '.gemini/settings.json', format: GEMINI_SETTINGS, entries };
  return holdInProject(held, wish, [whyUnhooked(command.args, folder, world), await whyOff(folder, world)]);
}

/** Why it would run no hooks of the folder; null when it would. */
function whyUnhooked(args: readonly string[], folder: string, world: World): string | null {
  if (isTrusted(folder, world)) return null;
  if (hasOption(args, '--skip-trust'))
    return 'Gemini CLI runs no hooks of a folder with --skip-trust; set GEMINI_CLI_TRUST_WORKSPACE=true instead';
  return `Gemini CLI does not trust ${folder}, and headless it ends with exit code 55 there: start gemini in it once, or set GEMINI_CLI_TRUST_WORKSPACE=true`;
}

const GIVES_PERMISSION = /^(?:-y|--yolo|--approval-mode|--allowed-tools|--policy|--admin-policy)(?:=|$)/;

/** Headless, it denies every call that it would ask about. */
function headlessHint(words: readonly string[], folder: string, places: HostPlaces): string | null {
  if (words.some((word) => GIVES_PERMISSION.test(word))) return null;
  const isAllowed = ['tools.allowed', 'general.defaultApprovalMode'].some(
    (name) => setting(folder, places, ...name.split('.')) !== undefined,
  );
  if (isAllowed) return null;
  return 'Gemini CLI runs headless and cannot ask for permission, and only reading is allowed in advance: add for example `--approval-mode auto_edit` or `--yolo` after --.';
}
