import type { ProcessSpec } from '../../system/processes.ts';

export type ShellStart = Pick<ProcessSpec, 'file' | 'args' | 'cwd' | 'env'>;

/** Confines the commands of a model. */
export interface Sandbox {
  /** Whether this command line runs inside; settings can exclude some. */
  covers(command: string): boolean;
  /** Whether commands inside need no permission rule. */
  readonly allowsInside: boolean;
  /** The environment inside. */
  readonly env: Readonly<Record<string, string>>;
  /** The command that starts this shell inside. */
  enter(shell: ShellStart): ShellStart;
  /** Whether this output is (the start of) an error while creating the sandbox. */
  isOwnFailure(printed: string): boolean;
  /** After a command: undoes writes that no mount could prevent. Returns a sentence for each. */
  settle(): Promise<readonly string[]>;
  /** A sentence when the output of a failed command looks like a refusal of the sandbox. */
  explain(output: string): string | undefined;
}
