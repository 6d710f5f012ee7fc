import type { Message } from '../messages.ts';

/** A line of a transcript: a message, and the line that it follows. */
export interface TranscriptLine {
  readonly message: Message;
  /** Null for a first line; undefined when the line has none. */
  readonly parentUuid: string | null | undefined;
}

/**
 * The lines of one conversation. Two runs that write to one file at the same time interleave their lines; sent as one,
 * calls would lose their results, and a provider refuses that. The branch of the last message is followed to its
 * beginning. A missing parent (a torn line) is the line before.
 */
export function followBranch(lines: readonly TranscriptLine[]): readonly TranscriptLine[] {
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
