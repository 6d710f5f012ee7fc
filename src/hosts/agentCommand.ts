import path from 'node:path';
import { packageRoot } from '../system/packageRoot.ts';
import { UserError } from '../system/userError.ts';
import { claudeForm, hasOption } from './claudeCode/claudeForms.ts';
import type { OutputForm } from './outputForms.ts';

/** How an agent is started, and what of ours it understands. */
export interface AgentCommand {
  /** In messages and reports. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** Which settings our hooks are wired through; our own agent has them inside, others only see the environment. */
  readonly wiredBy: 'claudeSettings' | 'itself' | 'environment';
  /** Where what it spends can be read: in what it prints, in a file of the launch, or nowhere. */
  readonly spendIn: 'output' | 'file' | 'nowhere';
  /** What its output becomes for the reader. */
  readonly form: OutputForm;
}

export interface AgentRequest {
  /** `claude`, `stopgate`, or a command line. */
  readonly agent: string;
  /** What stands behind `--`. */
  readonly words: readonly string[];
  readonly tokenBudget?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  /** Only for our own agent: it refuses to run where commands cannot be shut in. */
  readonly requireSandbox?: boolean;
  /** The agent gets this terminal, and a person answers its questions. */
  readonly interactive?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Row = (request: AgentRequest) => AgentCommand;

const AGENTS: Readonly<Record<string, Row>> = {
  claude: ({ words, env, maxBudgetUsd, tokenBudget, interactive }) => {
    const limited = maxBudgetUsd !== undefined || tokenBudget !== undefined;
    const own = interactive ? words : asPrompt(words);
    const { args, form, showsSpend } = claudeForm(own, limited);
    const isSet = maxBudgetUsd === undefined || hasOption(args, '--max-budget-usd');
    const limit = isSet ? [] : ['--max-budget-usd', `${maxBudgetUsd}`];
    return {
      name: 'claude',
      file: env.STOPGATE_CLAUDE || 'claude',
      args: [...args, ...limit],
      wiredBy: 'claudeSettings',
      spendIn: showsSpend ? 'output' : 'nowhere',
      form,
    };
  },
  stopgate: ({ words, tokenBudget, maxBudgetUsd, requireSandbox }) => ({
    name: 'stopgate',
    file: process.execPath,
    args: [
      path.join(packageRoot(), 'bin', 'stopgate.js'),
      ...headless(words),
      // its own --token-budget is a goal, to be used up
      ...(tokenBudget === undefined ? [] : ['--token-limit', `${tokenBudget}`]),
      ...(maxBudgetUsd === undefined ? [] : ['--max-budget-usd', `${maxBudgetUsd}`]),
      ...(requireSandbox ? ['--require-sandbox'] : []),
    ],
    wiredBy: 'itself',
    spendIn: 'file',
    form: 'asIs',
  }),
};

export function agentCommand(request: AgentRequest): AgentCommand {
  if (request.interactive) refuseHeadlessOnly(request);
  if (request.requireSandbox && request.agent !== 'stopgate') {
    throw new UserError(
      `--require-sandbox works with --agent stopgate; ${request.agent} has its own settings for a sandbox, such as sandbox.failIfUnavailable.`,
    );
  }
  const row = Object.hasOwn(AGENTS, request.agent) ? AGENTS[request.agent] : undefined;
  if (row) return row(request);
  const [file, ...args] = commandWords(request.agent);
  if (file === undefined) throw new UserError('--agent is empty; name claude, stopgate, or a command.');
  if (request.tokenBudget !== undefined || request.maxBudgetUsd !== undefined) {
    throw new UserError(
      `--token-budget and --max-budget-usd work with --agent claude and stopgate; what ${file} spends cannot be read.`,
    );
  }
  return {
    name: path.basename(file),
    file,
    args: [...args, ...request.words],
    wiredBy: 'environment',
    spendIn: 'nowhere',
    form: 'asIs',
  };
}

function refuseHeadlessOnly({ agent, tokenBudget, maxBudgetUsd }: AgentRequest): void {
  if (tokenBudget !== undefined || maxBudgetUsd !== undefined) {
    throw new UserError(
      '--token-budget and --max-budget-usd need a headless agent, whose spend can be read; leave --interactive out.',
    );
  }
  if (agent === 'stopgate')
    throw new UserError('--agent stopgate has no terminal session; leave --interactive out, or use --agent claude.');
}

/** A command of the user's own may need no words; of an agent that we know we know that it does. */
export const needsPrompt = (agent: string): boolean => Object.hasOwn(AGENTS, agent);

/** Our own agent is always headless; its prompt may also be piped in. */
function headless(words: readonly string[]): readonly string[] {
  const isAsked = words.some((word) => word === '-p' || word === '--print');
  return isAsked ? words : ['-p', ...words];
}

/** A first word that is not an option is the prompt of a headless run, unless the words already ask for one. */
function asPrompt(words: readonly string[]): readonly string[] {
  const [first] = words;
  if (first === undefined || first.startsWith('-')) return words;
  return words.some((word) => word === '-p' || word === '--print') ? words : ['-p', ...words];
}

/** The words of a command line, with quotes; no variables, no pipes, no shell. */
export function commandWords(line: string): readonly string[] {
  const words = line.match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g,
      (_all, double?: string, single?: string, escaped?: string) =>
        double !== undefined ? double.replaceAll(/\\(["\\$`])/g, '$1') : (single ?? escaped ?? ''),
    ),
  );
}
