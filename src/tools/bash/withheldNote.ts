import { namesIn, PASS_ENV } from '../../system/secretPolicy.ts';
import type { ToolContext } from '../toolContext.ts';

/** Why a variable that the command uses is empty: it is set, but commands do not get it. */
export function withheldNote(command: string, { withheld }: Pick<ToolContext, 'withheld'>): string | undefined {
  const names = withheld === undefined ? [] : namesIn(command, withheld);
  if (names.length === 0) return undefined;
  return `(Commands do not get ${names.join(', ')}: secrets are withheld. The person who started this session can pass them with ${PASS_ENV}=${names.join(',')}.)`;
}
