import type { SessionControls } from '../sessionControls.ts';

/** A command that the session runs itself; others are the project's own, and prompts. */
export interface SlashCommand {
  readonly about: string;
  /** What may follow it. */
  readonly hint?: string;
  run(session: SessionControls, argument: string): Promise<void> | void;
}
