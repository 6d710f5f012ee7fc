import type { ProcessSpec } from '../../system/processes.ts';

export type ShellStart = Pick<ProcessSpec, 'file' | 'args' | 'cwd' | 'env'>;

/** Where the commands of a model are shut in. */
export interface Sandbox {
  /** Whether this command line runs inside; settings can let some out. */
  covers(command: string): boolean;
  /** Whether what runs inside needs no rule that allows it. */
  readonly allowsInside: boolean;
  /** The environment inside. */
  readonly env: Readonly<Record<string, string>>;
  /** What is started in place of a shell, so that the shell runs inside. */
  enter(shell: ShellStart): ShellStart;
  /** Whether all that was printed so far is what a sandbox prints that could not be made. */
  isOwnFailure(printed: string): boolean;
  /** After a command: takes back what it made where no mount could hold it. A sentence for each. */
  settle(): Promise<readonly string[]>;
  /** A sentence when what a failed command printed looks like a refusal of the sandbox. */
  explain(output: string): string | undefined;
}

/** The sandbox of a command, where it has one. */
export function sandboxFor(command: string, sandbox: Sandbox | undefined): Sandbox | undefined {
  return sandbox?.covers(command) ? sandbox : undefined;
}
