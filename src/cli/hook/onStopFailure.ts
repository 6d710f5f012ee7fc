import { type HookAnswer, NOTHING } from '../../hosts/answers.ts';
import type { Payload } from '../../hosts/callers.ts';

/** An API error ended the turn. Nothing that is said here counts; the log's line is what is wanted. */
export async function onStopFailure(_payload: Payload): Promise<HookAnswer> {
  return NOTHING;
}
