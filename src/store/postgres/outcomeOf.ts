import type { ClaimRequest, CompleteRequest } from '../claimTypes.ts';
import { type ClaimedRow, claimedOf, isClaimedRow } from './claimedOf.ts';

type Answer = ClaimedRow | { readonly next?: Answer };

/** What the database answered, in the store's words; only claims are told in its own. */
export function outcomeOf(answer: Answer, request: object): object {
  if (isClaimedRow(answer)) return claimedOf(answer, request as ClaimRequest);
  if (!isClaimedRow(answer.next)) return answer;
  const { lease, next } = request as CompleteRequest;
  const { workerId, incarnation } = lease;
  return { ...answer, next: outcomeOf(answer.next, { ...next, workerId, incarnation }) };
}
