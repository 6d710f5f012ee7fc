import type { AgentCommand } from '../../hosts/agentCommand.ts';
import { type ChildKind, PASS_ENV, withheldFrom } from '../../system/secretPolicy.ts';

const KINDS: { readonly [Way in AgentCommand['wiredBy']]: ChildKind } = {
  claudeSettings: 'claudeAgent',
  itself: 'stopgateAgent',
  environment: 'otherAgent',
};

/** Which secrets a worker's agent does not get, and a sentence that names them: a missing key must not be a riddle. */
export function agentSecrets(
  { name, wiredBy }: Pick<AgentCommand, 'name' | 'wiredBy'>,
  env: Readonly<Record<string, string>>,
): { readonly withheld: ReadonlySet<string>; readonly sentence: string | null } {
  // the agent settles its task through the store
  const withheld = withheldFrom(KINDS[wiredBy], env, ['STOPGATE_STORE']);
  if (withheld.size === 0) return { withheld, sentence: null };
  const names = [...withheld].toSorted().join(', ');
  return { withheld, sentence: `${name} does not get ${names} (${PASS_ENV}=NAME,… passes those that its tasks need)` };
}
