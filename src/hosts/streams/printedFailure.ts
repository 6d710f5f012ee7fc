import { isAccountTrouble } from '../../fleet/decisions/accountTrouble.ts';
import type { AccountTrouble, AgentFailure } from '../host.ts';

export const knownTrouble = (failure: AgentFailure): AccountTrouble | null =>
  isAccountTrouble(failure.error) ? failure : null;

/** A shorter text may be in any output. */
const SHORTEST_MESSAGE = 12;

/**
 * Whether the agent printed the message that its StopFailure hook wrote, plain or inside JSON. A pause stops every worker of
 * the account, so the hook's file alone does not decide: the agent's commands can write it too.
 */
export function isPrinted({ message }: AgentFailure, tail: string): boolean {
  const text = message.trim();
  if (text.length < SHORTEST_MESSAGE) return false;
  return tail.trimEnd().endsWith(text) || tail.includes(JSON.stringify(text).slice(1, -1));
}
