import { createReadStream } from 'node:fs';
import { transcriptLineSchema } from '../../schemas/transcript.ts';
import { joinBlocks } from '../messageBlocks.ts';
import type { Message } from '../messages.ts';

export interface ReadTranscript {
  readonly messages: readonly Message[];
  /** Lines that could not be read: torn by a crash, or not ours. Their numbers, from 1. */
  readonly skippedLines: readonly number[];
}

/** Reads a transcript as far as it goes. Throws only what the file system throws (no such file, no permission). */
export async function readTranscript(file: string): Promise<ReadTranscript> {
  const messages: Message[] = [];
  const skippedLines: number[] = [];
  let number = 0;
  // only a resumed session reads one: nobody else loads the module for it
  const { createInterface } = process.getBuiltinModule('node:readline');
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === '') continue;
    const message = parseLine(line);
    if (message) messages.push(message);
    else skippedLines.push(number);
  }
  return { messages: joinBlocks(messages), skippedLines };
}

function parseLine(line: string): Message | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const parsed = transcriptLineSchema.safeParse(value);
  // The schema checks what a request is made of; the envelope's fields ride along.
  return parsed.success ? (parsed.data as unknown as Message) : undefined;
}
