import path from 'node:path';
import { shellWords } from '../../system/shellWords.ts';
import { UserError } from '../../system/userError.ts';
import type { AgentCommand, AgentRequest, HostAgent } from '../host.ts';
import { asPrinted, PLAIN_AGENT, unwired } from '../plainAgent.ts';

/** What commands print at a provider's limit; read only when they failed. */
const RATE_LIMIT = /\b429\b|rate.?limit|usage limit|hit your .{1,40}\blimit\b|quota exceeded|too many requests/i;
/** EX_TEMPFAIL of `sysexits`: try again later. */
const TEMPORARY_FAILURE = 75;
const LAST_CHARS = 400;

/** Any command line. It gets the clock in its environment; no hook of ours runs inside it. */
export const commandAgent: HostAgent = {
  ...PLAIN_AGENT,
  title: 'The command',
  command: anyCommand,
  taskWords: (prompt, words) => [...words, prompt],
  wire: async ({ command, world }) =>
    unwired(world, [
      `${command.name} gets the clock only in its environment (STOPGATE_BUDGET_END), because no hook of Stopgate runs in it`,
    ]),
  whyChecksAreOff: async ({ name }) => `no stop hook runs in ${name}, and launch does not run checks after a command`,
  secrets: 'otherAgent',
  accountTrouble: (code, { tail }) => {
    const isLimited = code === TEMPORARY_FAILURE || RATE_LIMIT.test(tail.trimEnd().slice(-LAST_CHARS));
    return isLimited ? { error: 'rate_limit', text: tail } : null;
  },
  exitCodeSettles: true,
};

function anyCommand({ agent, words, tokenBudget, maxBudgetUsd, cwd = '' }: AgentRequest): AgentCommand {
  const [file, ...args] = shellWords(agent);
  if (file === undefined) throw new UserError('--agent is empty; name an agent (see --help) or a command.');
  if (tokenBudget !== undefined || maxBudgetUsd !== undefined) {
    throw new UserError(
      `--token-budget and --max-budget-usd need an agent that Stopgate knows (see --help); the spending of ${file} cannot be read.`,
    );
  }
  return {
    name: path.basename(file),
    file: file.includes('/') ? path.resolve(cwd, file) : file,
    args: [...args, ...words],
    agent: commandAgent,
    spend: { in: 'nowhere' },
    form: asPrinted,
  };
}
