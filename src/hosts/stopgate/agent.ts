import path from 'node:path';
import { packageRoot } from '../../system/packageRoot.ts';
import { UserError } from '../../system/userError.ts';
import { MAY_SETTLE } from '../claudeCode/agent.ts';
import type { AgentCommand, AgentRequest, HostAgent } from '../host.ts';
import { asPrinted, PLAIN_AGENT, unwired } from '../plainAgent.ts';
import { isPrinted, knownTrouble } from '../streams/printedFailure.ts';

export const stopgateAgent: HostAgent = {
  ...PLAIN_AGENT,
  title: 'The agent',
  command: stopgateCommand,
  taskWords: (prompt, words) => ['-p', prompt, ...words, MAY_SETTLE],
  // its hooks are built in
  wire: async ({ world }) => unwired(world),
  whyChecksAreOff: async ({ args }) => (args.includes('--bare') ? '--bare' : null),
  secrets: 'stopgateAgent',
  accountTrouble: (_code, { stderr, tail, failure }) => {
    if (failure === null) return null;
    const isNamed = stderr.includes(`(${failure.error.replaceAll('_', ' ')})`);
    return isNamed || isPrinted(failure, tail) ? knownTrouble(failure) : null;
  },
  printsAnswer: true,
  isOwn: true,
  readsPermissions: true,
};

function stopgateCommand({
  words,
  tokenBudget,
  maxBudgetUsd,
  requireSandbox,
  interactive,
}: AgentRequest): AgentCommand {
  if (interactive)
    throw new UserError('--agent stopgate has no terminal session; remove --interactive, or use --agent claude.');
  return {
    name: 'stopgate',
    file: process.execPath,
    args: [
      path.join(packageRoot(), 'bin', 'stopgate.js'),
      ...headless(words),
      // its own --token-budget is a target, not a limit
      ...(tokenBudget === undefined ? [] : ['--token-limit', `${tokenBudget}`]),
      ...(maxBudgetUsd === undefined ? [] : ['--max-budget-usd', `${maxBudgetUsd}`]),
      ...(requireSandbox ? ['--require-sandbox'] : []),
    ],
    agent: stopgateAgent,
    spend: { in: 'file' },
    form: asPrinted,
  };
}

/** Our own agent is always headless; its prompt may also come from a pipe. */
function headless(words: readonly string[]): readonly string[] {
  return words.some((word) => word === '-p' || word === '--print') ? words : ['-p', ...words];
}
