import type { Spend } from '../../hosts/host.ts';

/** What two processes of one attempt spent. A sum with an unknown price keeps what is known: a limit holds by that. */
export function sumOfSpend(one: Spend | null, other: Spend | null): Spend | null {
  if (one === null || other === null) return one ?? other;
  const outputTokens = one.outputTokens + other.outputTokens;
  if (one.usd === null && other.usd === null) return { outputTokens, usd: null };
  const isPart = [one, other].some(({ usd, estimated }) => usd === null || estimated === true);
  return { outputTokens, usd: (one.usd ?? 0) + (other.usd ?? 0), ...(isPart && { estimated: true as const }) };
}
