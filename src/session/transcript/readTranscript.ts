import { createReadStream } from 'node:fs';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { transcriptEnvelopeSchema, transcriptLineSchema } from '../../schemas/transcript.ts';
import { joinBlocks } from '../messageBlocks.ts';
import type { Message } from '../messages.ts';
import { followBranch, type TranscriptLine } from './followBranch.ts';

export interface ReadTranscript {
  readonly messages: readonly Message[];
  /** Lines that could not be read: torn by a crash, or not ours. Their numbers, from 1. */
  readonly skippedLines: readonly number[];
  /** How many lines belong to another branch: another run wrote them at the same time. */
  readonly otherLines: number;
  /** The line that the next one follows. */
  readonly lastUuid?: string;
  /** The model that the session last used, as chosen; earlier versions did not write it. */
  readonly sessionModel?: string;
}

/** Reads a transcript as far as it goes. Throws only what the file system throws (no such file, no permission). */
export async function readTranscript(file: string): Promise<ReadTranscript> {
  const lines: (TranscriptLine & { readonly sessionModel: string | undefined })[] = [];
  const skippedLines: number[] = [];
  let number = 0;
  // loaded here, because only a resumed session needs it
  const { createInterface } = process.getBuiltinModule('node:readline');
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === '') continue;
    const parsed = parseLine(line);
    if (parsed) lines.push(parsed);
    else skippedLines.push(number);
  }
  const branch = followBranch(lines);
  const last = branch.at(-1);
  const sessionModel = lines.findLast((line) => line.sessionModel !== undefined)?.sessionModel;
  return {
    messages: joinBlocks(branch.map(({ message }) => message)),
    skippedLines,
    otherLines: lines.length - branch.length,
    ...(last ? { lastUuid: last.message.uuid } : {}),
    ...(sessionModel === undefined ? {} : { sessionModel }),
  };
}

function parseLine(text: string) {
  const value = jsonValue(text);
  const parsed = transcriptLineSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { parentUuid, sessionModel } = transcriptEnvelopeSchema.parse(value);
  // the schema checks what a request needs; other fields are kept
  return { message: parsed.data as unknown as Message, parentUuid, sessionModel };
}
