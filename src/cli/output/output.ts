import type { QueryEvent } from '../../query/events.ts';
import type { ResultLine } from './resultLine.ts';

/** What is known of a session before it starts. */
export interface SessionInit {
  readonly cwd: string;
  readonly sessionId: string;
  readonly tools: readonly string[];
  readonly model: string;
  readonly permissionMode: string;
  readonly version: string;
}

/** A way of showing a session. Told everything in order; decides alone what of it is shown. */
export interface Output {
  start(init: SessionInit): void;
  event(event: QueryEvent): void;
  end(result: ResultLine, endInWords: string): void;
  /** A warning that belongs to no message: a broken settings entry, a transcript that cannot be written. */
  warn(sentence: string): void;
}
