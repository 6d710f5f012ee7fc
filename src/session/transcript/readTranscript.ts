import { createReadStream } from 'node:fs';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { transcriptEnvelopeSchema, transcriptLineSchema } from '../../schemas/transcript.ts';
import { joinBlocks } from '../messageBlocks.ts';
import type { Message } from '../messages.ts';

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

/** A line of a transcript: a message, and the line that it follows. */
interface TranscriptLine {
  readonly message: Message;
  /** Null for a first line; undefined when the line has none. */
  readonly parentUuid: string | null | undefined;
}

/**
 * The lines of one conversation. Two runs that write to one file at the same time interleave their lines; sent as one,
 * calls would lose their results, and a provider refuses that. The branch of the last message is followed to its
 * beginning. A missing parent (a torn line) is the line before.
 */
function followBranch(lines: readonly TranscriptLine[]): readonly TranscriptLine[] {
  const last = lines.findLastIndex(({ message }) => isTurnMessage(message));
  if (last < 0 || isOneChain(lines)) return lines;
  const places = placesOf(lines);
  const branch = new Set<number>();
  for (let place = last; place >= 0; place = placeBefore(lines, places, place)) branch.add(place);
  lines.forEach((line, place) => {
    const parent = parentPlace(lines, places, place);
    const before = parent !== undefined && branch.has(parent) ? lines[parent] : undefined;
    if (before && belongsTo(line.message, before.message)) branch.add(place);
  });
  return lines.filter((_, place) => branch.has(place));
}

type Places = ReadonlyMap<string, readonly number[]>;

/** Earlier versions gave an answer's further blocks and the message after them the same id. */
function placesOf(lines: readonly TranscriptLine[]): Places {
  return Map.groupBy(lines.keys(), (place) => lines[place]?.message.uuid ?? '');
}

function isOneChain(lines: readonly TranscriptLine[]): boolean {
  return lines.every(({ parentUuid }, place) => place === 0 || parentUuid === lines[place - 1]?.message.uuid);
}

const isTurnMessage = ({ type }: Message): boolean => type === 'user' || type === 'assistant';

/** -1 before the first line of a conversation. */
function placeBefore(lines: readonly TranscriptLine[], places: Places, place: number): number {
  const isFirst = lines[place]?.parentUuid === null && isCrossed(lines, places, place);
  return isFirst ? -1 : (parentPlace(lines, places, place) ?? place - 1);
}

/** Whether a later line follows one before this place: then the lines before it are another run's. */
function isCrossed(lines: readonly TranscriptLine[], places: Places, place: number): boolean {
  return lines.some((_, later) => later > place && (parentPlace(lines, places, later) ?? place) < place);
}

/** Undefined when it is not in the file, or only after it. */
function parentPlace(lines: readonly TranscriptLine[], places: Places, place: number): number | undefined {
  return places.get(lines[place]?.parentUuid ?? '')?.findLast((one) => one < place);
}

/**
 * Leaves of a branch: notes, and further blocks of an answer, since earlier versions resumed from an answer's first block.
 * A compaction's mark begins another branch.
 */
function belongsTo(message: Message, before: Message): boolean {
  if (message.type === 'assistant') return before.type === 'assistant' && before.message.id === message.message.id;
  if (message.type === 'system') return message.subtype !== 'compact_boundary';
  return message.type === 'attachment';
}
