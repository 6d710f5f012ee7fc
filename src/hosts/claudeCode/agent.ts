import { accountTroubleKind, isAccountTrouble } from '../../fleet/decisions/accountTrouble.ts';
import { loadSettings } from '../../session/settings/loadSettings.ts';
import { TRUSTED } from '../../session/trust/folderTrust.ts';
import type { World } from '../../system/world.ts';
import { holdInProject } from '../holdInProject.ts';
import type {
  AccountTrouble,
  AgentCommand,
  AgentRequest,
  AgentWords,
  HostAgent,
  OffByProject,
  WiredAgent,
  WiringWish,
} from '../host.ts';
import { launchPaths } from '../launchPaths.ts';
import { hasOption, valuesOf } from '../optionWords.ts';
import { PLAIN_AGENT } from '../plainAgent.ts';
import { isPrinted, knownTrouble } from '../streams/printedFailure.ts';
import { claudeForm } from './claudeForms.ts';
import { ClaudeSpend } from './claudeSpend.ts';
import { hookEntries } from './entries.ts';
import { whyHooksAreOff } from './whyHooksAreOff.ts';
import { CLAUDE_SETTINGS } from './wiring.ts';

/** A worker's agent must always be allowed to settle its task. */
export const MAY_SETTLE = '--allowedTools=Bash(stopgate task *)';

export const claudeAgent: HostAgent = {
  ...PLAIN_AGENT,
  title: 'Claude Code',
  command: claudeCommand,
  taskWords: (prompt, words) => ['-p', prompt, ...words, MAY_SETTLE],
  wire: wireClaude,
  whyChecksAreOff,
  secrets: 'claudeAgent',
  accountTrouble,
  reportsFailures: true,
  printsAnswer: true,
  readsPermissions: true,
  install: 'install Claude Code (npm install -g @anthropic-ai/claude-code), set STOPGATE_CLAUDE to its path',
};

function claudeCommand({ words, env, maxBudgetUsd, tokenBudget, showSpend, interactive }: AgentRequest): AgentCommand {
  const limited = maxBudgetUsd !== undefined || tokenBudget !== undefined;
  const { args, form, showsSpend } = claudeForm(
    interactive ? words : asPrompt(words),
    limited || (showSpend === true && 'ifPossible'),
  );
  const isSet = maxBudgetUsd === undefined || hasOption(args, '--max-budget-usd');
  return {
    name: 'claude',
    file: env.STOPGATE_CLAUDE || 'claude',
    args: [...args, ...(isSet ? [] : ['--max-budget-usd', `${maxBudgetUsd}`])],
    agent: claudeAgent,
    spend: showsSpend ? { in: 'output', reader: (costOf) => new ClaudeSpend(costOf) } : { in: 'nowhere' },
    form,
  };
}

/** A first word that is not an option is a prompt: adds `-p` if it is missing. */
function asPrompt(words: readonly string[]): readonly string[] {
  const [first] = words;
  if (first === undefined || first.startsWith('-')) return words;
  return words.some((word) => word === '-p' || word === '--print') ? words : ['-p', ...words];
}

async function wireClaude(wish: WiringWish): Promise<WiredAgent> {
  const { features, folder, world } = wish;
  const entries = hookEntries(features, await launchPaths(wish));
  const held = { host: 'claudeCode', name: '.claude/settings.local.json', format: CLAUDE_SETTINGS, entries };
  return holdInProject(held, wish, [await whyHooksAreOff(folder, world)]);
}

async function whyChecksAreOff(
  { args }: AgentCommand,
  folder: string,
  { homeDir, env }: World,
): Promise<string | OffByProject | null> {
  if (args.includes('--bare')) return '--bare';
  const sources = valuesOf(args, ['--setting-sources']).join(',').split(',');
  if (sources[0] !== '' && !sources.includes('local')) return '--setting-sources leaves out local settings';
  const { merged, layers } = await loadSettings({ projectDir: folder, homeDir, env, trust: TRUSTED });
  const off = layers.findLast(({ settings }) => settings.disableAllHooks === true);
  if (!merged.disableAllHooks || !off) return null;
  const why = `disableAllHooks is set in ${off.file}`;
  return off.source === 'project' || off.source === 'local' ? { why, file: off.file } : why;
}

/** As 2.1.325 prints it. */
const PRINTED_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/^(?:Invalid API key|Failed to authenticate)\b|\bPlease run \/login\b/m, 'authentication_failed'],
  [/^API Error: .*\b429\b|^You've hit your .{1,40}\blimit\b|^Claude (?:AI )?usage limit reached\b/m, 'rate_limit'],
  [/^Credit balance is too low\b/m, 'billing_error'],
  [/^API Error: 5\d\d\b/m, 'server_error'],
];
const LAST_CHARS = 400;

function accountTrouble(_code: number, { tail, failure }: AgentWords): AccountTrouble | null {
  const last = tail.trimEnd().slice(-LAST_CHARS);
  const printed = PRINTED_ERRORS.find(([words]) => words.test(last))?.[1] ?? null;
  if (printed === null) return failure !== null && isPrinted(failure, tail) ? knownTrouble(failure) : null;
  if (failure !== null && !isAccountTrouble(failure.error)) return null;
  // the hook has the exact kind, the printed text the time
  const isSameKind = failure !== null && accountTroubleKind(failure.error) === accountTroubleKind(printed);
  return { error: isSameKind ? failure.error : printed, text: last };
}
