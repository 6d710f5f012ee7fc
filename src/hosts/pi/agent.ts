import { UserError } from '../../system/userError.ts';
import { keptOptions } from '../commandWords.ts';
import type { AgentCommand, AgentRequest, HostAgent, WiredAgent, WiringWish } from '../host.ts';
import { hasOption, valuesOf } from '../optionWords.ts';
import { asPrinted, PLAIN_AGENT, unwired } from '../plainAgent.ts';
import { pluginOfLaunch } from '../plugin.ts';
import { isPrinted, knownTrouble } from '../streams/printedFailure.ts';
import { piSession, piSpend, piText } from './output.ts';
import { PI_EXTENSION } from './wiring.ts';

/** Of 1.5.2. */
const VALUED = new Set([
  ...['--provider', '--model', '--api-key', '--system-prompt', '--append-system-prompt', '--mode', '--session'],
  ...['--session-id', '--fork', '--session-dir', '--name', '-n', '--models', '--tools', '-t', '--exclude-tools', '-xt'],
  ...['--thinking', '--extension', '-e', '--skill', '--prompt-template', '--theme', '--use-theme', '--tui-mode'],
]);

/** Options of a session's beginning. */
const BEGINS = /^(?:-c|--continue|-r|--resume|--session|--session-id|--fork|-n|--name)(?:=|$)/;

export const piAgent: HostAgent = {
  ...PLAIN_AGENT,
  title: 'pi',
  command: piCommand,
  taskWords: (prompt, words) => [...words, prompt],
  continueWords: (session, text, words) => [
    ...keptOptions(words, { valued: VALUED }, BEGINS),
    ...(session === null ? ['--continue'] : ['--session', session]),
    text,
  ],
  wire: wirePi,
  whyChecksAreOff: async () => null,
  secrets: 'otherAgent',
  // our extension writes the file, prints the message and makes it exit with 1
  accountTrouble: (_code, { tail, failure }) =>
    failure !== null && isPrinted(failure, tail) ? knownTrouble(failure) : null,
  install: 'install pi (npm install -g @earendil-works/pi-coding-agent)',
};

/** `pi --mode json`: its lines have the session and what it spends, and are shown as text unless `--mode` is among the words. */
function piCommand({ words, interactive, tokenBudget, maxBudgetUsd }: AgentRequest): AgentCommand {
  const base = { name: 'pi', file: 'pi', agent: piAgent };
  if (interactive) return { ...base, args: words, spend: { in: 'nowhere' }, form: asPrinted };
  const mode = valuesOf(words, ['--mode'])[0];
  if (mode === 'rpc')
    throw new UserError('--mode rpc waits for commands on its input, which a launch does not send; remove it.');
  if (mode === 'text') {
    if (tokenBudget !== undefined || maxBudgetUsd !== undefined)
      throw new UserError('A budget cannot be enforced with --mode text, which reports no use; remove it.');
    const print = hasOption(words, '-p') || hasOption(words, '--print') ? [] : ['-p'];
    return { ...base, args: [...print, ...words], spend: { in: 'nowhere' }, form: asPrinted };
  }
  return {
    ...base,
    args: [...(mode === undefined ? ['--mode', 'json'] : []), ...words],
    spend: { in: 'output', reader: piSpend },
    form: mode === undefined ? piText : asPrinted,
    sessionIn: piSession,
  };
}

/** On its command line, which needs no trust in the folder and works under --no-extensions too. */
async function wirePi(wish: WiringWish): Promise<WiredAgent> {
  const file = await pluginOfLaunch(PI_EXTENSION, wish);
  return { ...unwired(wish.world), args: ['-e', file] };
}
