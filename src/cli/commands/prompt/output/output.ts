import type { QueryEvent } from '../../../../query/events.ts';
import type { ResultLine } from './resultLine.ts';

/** What is known of a session before it starts. */
export interface SessionInit {
  readonly cwd: string;
  readonly sessionId: string;
  readonly tools: readonly string[];
  readonly model: string;
  readonly permissionMode: string;
  readonly version: string;
  /** Names that only a stream for programs shows. */
  readonly commands: readonly string[];
  readonly skills: readonly string[];
  readonly agents: readonly string[];
  readonly mcpServers: readonly { readonly name: string; readonly status: string; readonly source: string }[];
  /** The variable that the model's key is from; `none` without one. */
  readonly keySource: string;
  readonly additionalDirectories: readonly string[];
}

/** A way of showing a session. Told everything in order; decides alone what of it is shown. */
export interface Output {
  /** Before each prompt. */
  start(init: SessionInit): void;
  event(event: QueryEvent): void;
  /** A turn is over and another one follows. */
  turnEnd(result: ResultLine): void;
  end(result: ResultLine, endInWords: string): void;
  /** A warning that belongs to no message: a broken settings entry, a transcript that cannot be written. */
  warn(sentence: string): void;
}
