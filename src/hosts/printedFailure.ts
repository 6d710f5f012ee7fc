import { isAccountTrouble } from '../fleet/decisions/accountTrouble.ts';
import type { AccountTrouble, AgentFailure } from './host.ts';

export const knownTrouble = (failure: AgentFailure): AccountTrouble | null =>
  isAccountTrouble(failure.error) ? failure : null;

/** Short words are in every output. */
const SHORTEST_MESSAGE = 12;

/**
 * Whether the agent's last words are those that its StopFailure hook wrote, as they are or inside JSON. A pause stops every
 * worker of the account, so the hook's file alone does not decide: the agent's commands can write it too.
 */
export function isPrinted({ message }: AgentFailure, tail: string): boolean {
  const said = message.trim();
  if (said.length < SHORTEST_MESSAGE) return false;
  return tail.trimEnd().endsWith(said) || tail.includes(JSON.stringify(said).slice(1, -1));
}
