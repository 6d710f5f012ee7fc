import type { HostName } from './hostPackages.ts';
import type { Body, WireReply } from './model/wire.ts';

/** What an agent does when told to, in words that all agents share. */
export type HostReply = WireReply & {
  /** One call of its shell tool. */
  readonly shell?: string;
  /** One call of its tool that writes a file; the path is relative to the project. */
  readonly write?: { readonly file: string; readonly text: string };
};

type ToolCall = NonNullable<WireReply['tools']>[number];

export type HostEvent =
  | 'sessionStart'
  | 'prompt'
  | 'beforeTool'
  | 'afterTool'
  | 'toolFailure'
  | 'stop'
  | 'failure'
  | 'sessionEnd';

export interface HostFolders {
  readonly dir: string;
  readonly home: string;
  /** The model's address, without `/v1`. */
  readonly url: string;
}

interface HostStart {
  readonly prompt: string;
  /** The id of a session to resume. */
  readonly resume?: string | undefined;
  /** Its hooks are trusted by its settings. */
  readonly trusted?: boolean | undefined;
}

/** A file's text, or an object that is merged into the JSON file. */
export type FileWish = string | object;

/** Everything about driving one agent's program that differs from the others. */
export interface HostDriver {
  readonly name: HostName;
  /** The settings that make it talk to the model only, by path. */
  settings(folders: HostFolders): Readonly<Record<string, FileWish>>;
  env(folders: HostFolders): Readonly<Record<string, string>>;
  /** Headless, with JSON lines on stdout, and with every tool allowed. */
  args(start: HostStart): readonly string[];
  /** Words after the `--` of a launch that allow every tool. */
  readonly allowed?: readonly string[];
  isSide(body: Body, url: string): boolean;
  readonly sideText?: string;
  shell(command: string): ToolCall;
  /** A call that its hooks see as failed, where a shell that exits with 3 is not one. */
  readonly failing?: ToolCall;
  write(file: string, text: string): ToolCall;
  /** The agent's own names of the events that it has. */
  readonly events: Readonly<Partial<Record<HostEvent, string>>>;
  /** Files that make it run `command(event)` with the payload on stdin, for each of its events. */
  hooks(folders: HostFolders, command: (event: HostEvent) => string): Readonly<Record<string, FileWish>>;
  /** The session's id, from the JSON lines of its stdout. */
  sessionId(lines: readonly Body[]): string | undefined;
}

export const eventNames = (driver: Pick<HostDriver, 'events'>): [HostEvent, string][] =>
  Object.entries(driver.events) as [HostEvent, string][];
