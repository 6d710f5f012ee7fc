import path from 'node:path';
import { packageRoot } from '../packageRoot.ts';
import { UserError } from '../userError.ts';

/** How an agent is started, and what of ours it understands. */
export interface AgentCommand {
  /** In messages and reports. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** Which settings our hooks are wired through; our own agent has them inside, others only see the environment. */
  readonly wiredBy: 'claudeSettings' | 'itself' | 'environment';
  /** Whether its standard output tells what it spends. */
  readonly spendsInStream: boolean;
}

export interface AgentRequest {
  /** `claude`, `stopgate`, or a command line. */
  readonly agent: string;
  /** What stands behind `--`. */
  readonly words: readonly string[];
  readonly tokenBudget?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Row = (request: AgentRequest) => AgentCommand;

const AGENTS: Readonly<Record<string, Row>> = {
  claude: ({ words, env, maxBudgetUsd, tokenBudget }) => {
    const limited = maxBudgetUsd !== undefined || tokenBudget !== undefined;
    const args = limited ? withStream(asPrompt(words)) : asPrompt(words);
    const limit =
      maxBudgetUsd === undefined || args.includes('--max-budget-usd') ? [] : ['--max-budget-usd', `${maxBudgetUsd}`];
    return {
      name: 'claude',
      file: env.STOPGATE_CLAUDE || 'claude',
      args: [...args, ...limit],
      wiredBy: 'claudeSettings',
      spendsInStream: args.some((word) => word === 'stream-json' || word === '--output-format=stream-json'),
    };
  },
  stopgate: ({ words, tokenBudget, maxBudgetUsd }) => ({
    name: 'stopgate',
    file: process.execPath,
    args: [
      path.join(packageRoot(), 'bin', 'stopgate.js'),
      ...asPrompt(words),
      ...(tokenBudget === undefined ? [] : ['--token-budget', `${tokenBudget}`]),
      ...(maxBudgetUsd === undefined ? [] : ['--max-budget-usd', `${maxBudgetUsd}`]),
    ],
    wiredBy: 'itself',
    spendsInStream: false,
  }),
};

export function agentCommand(request: AgentRequest): AgentCommand {
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
    spendsInStream: false,
  };
}

/** One word that is no option is the prompt of a headless run; anything else is passed as it stands. */
function asPrompt(words: readonly string[]): readonly string[] {
  const [only] = words;
  return words.length === 1 && only !== undefined && !only.startsWith('-') ? ['-p', only] : words;
}

/** What it spends is only told in its stream. */
function withStream(args: readonly string[]): readonly string[] {
  if (args.includes('--output-format') || args.some((word) => word.startsWith('--output-format='))) return args;
  return [...args, '--output-format', 'stream-json', '--verbose'];
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
