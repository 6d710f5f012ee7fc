import type { AgentCommand } from '../../hosts/host.ts';
import { PASS_ENV, withheldFrom } from '../../system/secretPolicy.ts';

/** Which secrets a worker's agent does not get, and a sentence that names them: a missing key must not be a riddle. */
export function agentSecrets(
  { name, agent }: Pick<AgentCommand, 'name' | 'agent'>,
  env: Readonly<Record<string, string>>,
): { readonly withheld: ReadonlySet<string>; readonly sentence: string | null } {
  // the agent settles its task through the store
  const withheld = withheldFrom(agent.secrets, env, ['STOPGATE_STORE']);
  if (withheld.size === 0) return { withheld, sentence: null };
  const names = [...withheld].toSorted().join(', ');
  return { withheld, sentence: `${name} does not get ${names} (${PASS_ENV}=NAME,… passes those that its tasks need)` };
}
