import { open } from 'node:fs/promises';
import { transcriptLineSchema } from '../../../schemas/transcript.ts';
import { joinBlocks } from '../../../session/messageBlocks.ts';
import type { Message } from '../../../session/messages.ts';

const TAIL_BYTES = 256 * 1024;

/** The last messages of a transcript: a list of sessions must not read gigabytes to show one line of each. */
export async function transcriptTail(file: string): Promise<readonly Message[]> {
  await using handle = await open(file, 'r');
  const { size } = await handle.stat();
  const start = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
  const lines = buffer.subarray(0, bytesRead).toString('utf8').split('\n');
  // the first one was cut unless the file was read from its start
  return joinBlocks((start > 0 ? lines.slice(1) : lines).flatMap(parseLine));
}

function parseLine(line: string): Message[] {
  if (line.trim() === '') return [];
  try {
    const parsed = transcriptLineSchema.safeParse(JSON.parse(line));
    // the schema checks what is looked at here; the envelope rides along
    return parsed.success ? [parsed.data as unknown as Message] : [];
  } catch {
    return [];
  }
}
