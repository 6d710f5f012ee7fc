import { statSync } from 'node:fs';
import type { Payload } from '../stop/payload.ts';
import { attempt } from '../system/attempt.ts';

/** Whether an event names a transcript in a host's own folder. */
export const wroteTranscript = ({ transcript_path: at }: Payload, folder: string): boolean =>
  typeof at === 'string' && at.includes(`/${folder}/`);

/** The size of an event's transcript, as a mark of how far its session is; null when it cannot be read. */
export function transcriptBytes({ transcript_path: at }: Payload): string | null {
  if (typeof at !== 'string') return null;
  const bytes = attempt(() => statSync(at, { throwIfNoEntry: false })?.size, undefined);
  return bytes === undefined ? null : String(bytes);
}
