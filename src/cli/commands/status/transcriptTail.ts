import { open } from 'node:fs/promises';
import { jsonValue } from '../../../schemas/jsonValue.ts';
import { transcriptLineSchema } from '../../../schemas/transcript.ts';
import { joinBlocks } from '../../../session/messageBlocks.ts';
import type { Message } from '../../../session/messages.ts';

const TAIL_BYTES = 256 * 1024;

/** The last messages of a transcript, without reading the whole file. */
export async function transcriptTail(file: string): Promise<readonly Message[]> {
  await using handle = await open(file, 'r');
  const { size } = await handle.stat();
  const start = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
  const lines = buffer.subarray(0, bytesRead).toString('utf8').split('\n');
  // the first line is incomplete unless the whole file was read
  return joinBlocks((start > 0 ? lines.slice(1) : lines).flatMap(parseLine));
}

function parseLine(line: string): Message[] {
  const parsed = transcriptLineSchema.safeParse(jsonValue(line));
  // the schema checks only the fields that are used here
  return parsed.success ? [parsed.data as unknown as Message] : [];
}
