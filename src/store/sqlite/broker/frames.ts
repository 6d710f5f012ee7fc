import { jsonValue } from '../../../schemas/jsonValue.ts';

/** The socket carries one JSON object per line. The first line of each side names its protocol. */
type HelloFrame = { readonly stopgate: number };

export interface RequestFrame {
  readonly id: number;
  readonly operation: string;
  readonly request: object;
  /** See `brokeredTransport.ts`. */
  readonly key?: string | undefined;
}

export type ReplyFrame =
  | { readonly id: number; readonly outcome: object }
  /** A bug in the server, thrown again by the client. */
  | { readonly id: number; readonly bug: string }
  /** The answer exceeds the longest frame; read it from the file. */
  | { readonly id: number; readonly tooLong: true };

/** Raised with every change of frames or requests. 1 had no first line, 2 no keys, 3 no leases. */
export const PROTOCOL = 4;

/** In characters. Longer requests go to the file itself, so none is refused; docs/fleet.md names both. */
export const LONGEST_REQUEST = 16 * 1024 * 1024;
export const LONGEST_REPLY = 64 * 1024 * 1024;

export function encodeFrame(frame: HelloFrame | RequestFrame | ReplyFrame): string {
  return `${JSON.stringify(frame)}\n`;
}

export interface FrameHandlers {
  /** The longest line, in characters. */
  readonly longest: number;
  readonly onFrame: (value: unknown, length: number) => void;
  /** Called once; nothing that follows is read. */
  readonly onNonsense: (why: string) => void;
}

/** Joins chunks to whole lines and parses them. The caller checks their contents. */
export function frameReader({ longest, onFrame, onNonsense }: FrameHandlers) {
  let begun: string[] = [];
  let length = 0;
  let isOver = false;
  const fail = (why: string) => {
    isOver = true;
    begun = [];
    length = 0;
    onNonsense(why);
  };
  const add = (piece: string) => {
    length += piece.length;
    if (length > longest) return fail(`a line is longer than ${longest} characters`);
    if (piece !== '') begun.push(piece);
  };
  const endLine = () => {
    const line = begun.join('');
    begun = [];
    length = 0;
    const value = jsonValue(line);
    if (value === undefined) fail('a line is not JSON');
    else onFrame(value, line.length);
  };
  return {
    read: (chunk: string) => {
      for (const [index, piece] of chunk.split('\n').entries()) {
        if (index > 0 && !isOver) endLine();
        if (isOver) return;
        add(piece);
      }
    },
    /** True while a line has begun and not ended. */
    get isPending() {
      return length > 0;
    },
  };
}

/** The protocol that a first line names; undefined when it names none. */
export function protocolOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('stopgate' in value)) return undefined;
  return typeof value.stopgate === 'number' ? value.stopgate : undefined;
}

/** Checks what the reader relies on: an id, and one of the three kinds of answer. */
export function isReply(value: unknown): value is ReplyFrame {
  if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'number') return false;
  if ('bug' in value) return typeof value.bug === 'string';
  return 'tooLong' in value || ('outcome' in value && typeof value.outcome === 'object' && value.outcome !== null);
}

export function differentProtocols(theirs: number | undefined): string {
  const named = theirs === undefined ? 'another protocol' : `protocol ${theirs}`;
  return `The process that serves this store speaks ${named}, but this Stopgate speaks protocol ${PROTOCOL}; restart workers and fleets so that all run the same version.`;
}
