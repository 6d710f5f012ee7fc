import { valueAt } from '../../schemas/jsonValue.ts';
import { UserError } from '../../system/userError.ts';
import { commentedSettings } from '../commentedSettings.ts';
import type { AccountTrouble, AgentCommand, AgentRequest, AgentWords, HostAgent, HostPlaces } from '../host.ts';
import { offByFile } from '../offByFile.ts';
import { asPrinted, PLAIN_AGENT } from '../plainAgent.ts';
import { asPrompt, type PromptOptions, takeOption, withoutPrompt } from '../promptWords.ts';
import { fieldIn } from '../streams/eventLines.ts';
import { streamSpend } from '../streams/streamSpend.ts';
import { asText, qwenSpend } from './output.ts';
import { wireQwen } from './wireQwen.ts';
import { offFile, projectSettings, userSettings } from './wiring.ts';

const OPTIONS: PromptOptions = {
  prompt: ['-p', '--prompt'],
  session: ['-r', '--resume', '--session-id'],
  plain: ['-y', '--yolo', '-d', '--debug', '-s', '--sandbox', '-c', '--continue', '--include-partial-messages'],
};

/** A worker's agent must always be allowed to settle its task. */
const MAY_SETTLE = '--allowed-tools=run_shell_command(stopgate task)';

export const qwenAgent: HostAgent = {
  ...PLAIN_AGENT,
  title: 'Qwen Code',
  command: qwenCommand,
  taskWords: (prompt, words) => ['-p', prompt, ...words, MAY_SETTLE],
  continueWords: (session, text, words) => [
    ...(session === null ? ['--continue'] : ['--resume', session]),
    ...['-p', text],
    ...withoutPrompt(words, OPTIONS),
  ],
  wire: wireQwen,
  whyChecksAreOff: async ({ args }, folder, world) => {
    const word = ['--bare', '--safe-mode'].find((one) => args.includes(one));
    const file = offFile(folder, world);
    if (word !== undefined || file === null) return word ?? null;
    return offByFile(`disableAllHooks is set in ${file}`, file, folder);
  },
  headlessHint,
  // its models may be of any provider
  secrets: 'otherAgent',
  accountTrouble,
  printsAnswer: true,
  install: 'install Qwen Code (npm install -g @qwen-code/qwen-code)',
};

function qwenCommand({ words, tokenBudget, maxBudgetUsd, interactive, env }: AgentRequest): AgentCommand {
  if (maxBudgetUsd !== undefined && !env.STOPGATE_PRICES)
    throw new UserError(
      '--max-budget-usd with --agent qwen needs the prices of its models: name a file of them in STOPGATE_PRICES, or use --token-budget.',
    );
  const base = { name: 'qwen', file: 'qwen', agent: qwenAgent };
  if (interactive) return { ...base, args: words, spend: { in: 'nowhere' }, form: asPrinted };
  const { value: format = 'text', others } = takeOption(asPrompt(words, OPTIONS), ['-o', '--output-format']);
  const isJson = format === 'json';
  if (isJson && (tokenBudget !== undefined || maxBudgetUsd !== undefined))
    throw new UserError(
      '--token-budget and --max-budget-usd cannot be enforced with -o json, which prints only its end; use stream-json.',
    );
  return {
    ...base,
    args: [...others, '-o', isJson ? 'json' : 'stream-json'],
    spend: { in: 'output', reader: (costOf) => streamSpend(qwenSpend(), costOf) },
    form: format === 'text' ? asText : asPrinted,
    sessionIn: fieldIn('system', 'session_id'),
  };
}

/** By the status in what it prints: `[API Error: 429 …]`. */
const STATUS_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/\b429\b|quota|rate.?limit/i, 'rate_limit'],
  [/\b40[13]\b|invalid.{0,20}api.?key|Incorrect API key/i, 'authentication_failed'],
  [/\b402\b|insufficient.{0,20}(?:balance|credit)/i, 'billing_error'],
  [/\b(?:503|529)\b|overloaded/i, 'overloaded'],
  [/\b5\d\d\b/, 'server_error'],
];

function accountTrouble(_code: number, { tail }: AgentWords): AccountTrouble | null {
  const text = [...tail.matchAll(/\[API Error: [^\]]{0,400}\]/g)].at(-1)?.[0];
  if (text === undefined) return null;
  const error = STATUS_ERRORS.find(([words]) => words.test(text))?.[1];
  return error === undefined ? null : { error, text };
}

const GIVES_PERMISSION = /^(?:-y|--yolo|--approval-mode|--allowed-tools)(?:=|$)/;

/** Headless, it denies every call that it would ask about. */
function headlessHint(words: readonly string[], folder: string, places: HostPlaces): string | null {
  if (words.some((word) => GIVES_PERMISSION.test(word))) return null;
  const files = [userSettings(places), projectSettings(folder)].map(commentedSettings);
  const names = [
    ['tools', 'approvalMode'],
    ['tools', 'allowed'],
    ['permissions', 'allow'],
  ] as const;
  if (files.some((settings) => names.some((name) => valueAt(settings, name) !== undefined))) return null;
  return 'Qwen Code runs headless and cannot ask for permission, and only reading is allowed in advance: add for example `--approval-mode auto-edit` or `--yolo` after --.';
}
