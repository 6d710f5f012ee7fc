import type { ClaimRequest, CompleteRequest } from '../claimTypes.ts';
import { type ClaimedRow, claimedOf } from './claimedOf.ts';

interface Answer {
  readonly type: string;
  readonly next?: Answer;
}

/** What the database answered, in the store's words; only claims are told in its own. */
export function outcomeOf(answer: Answer, request: object): object {
  if (answer.type === 'claimedRow') return claimedOf(answer as unknown as ClaimedRow, request as ClaimRequest);
  if (answer.next?.type !== 'claimedRow') return answer;
  const { lease, next } = request as CompleteRequest;
  const { workerId, incarnation } = lease;
  return { ...answer, next: outcomeOf(answer.next, { ...next, workerId, incarnation }) };
}
