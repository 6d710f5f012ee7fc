import type { TaskList } from '../session/taskList.ts';
import type { Clock } from '../system/clock.ts';
import type { ProcessRunner } from '../system/processes.ts';
import type { BackgroundTasks } from './background/backgroundTasks.ts';
import type { BackgroundShells } from './bash/backgroundShells.ts';
import type { Sandbox } from './bash/sandbox.ts';
import type { ReadFiles } from './files/readFiles.ts';

/** What a subagent is asked to do. */
export interface SubagentRequest {
  readonly prompt: string;
  readonly description: string;
  readonly subagentType: string;
  /** As the model wrote it; whether it is honoured is the runner's choice. */
  readonly model?: string;
  readonly toolUseId: string;
  readonly signal: AbortSignal;
}

/** How a subagent ended; `answer` is its last text whatever the end was. */
export interface SubagentEnd {
  readonly agentId: string;
  readonly reason: string;
  readonly completed: boolean;
  readonly answer: string;
  readonly totalTokens: number;
  readonly totalToolUses: number;
  readonly durationMs: number;
}

/** What the first piece of a running subagent's news says. */
export interface SubagentStarted {
  readonly type: 'agent_started';
  readonly agentId: string;
  readonly transcriptPath: string;
}

/** A directory that follows `cd`: shared by all calls of one agent. */
export interface WorkingDirectory {
  readonly projectDir: string;
  current(): string;
  /** A second one that starts here and moves alone: a subagent's `cd` is not its parent's. */
  fork(): WorkingDirectory;
  /** Told after a command moved. */
  moveTo(directory: string): void;
}

/** Everything a tool may touch, injected: no tool reaches for a global. */
export interface ToolContext {
  readonly toolUseId: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly processes: ProcessRunner;
  readonly directory: WorkingDirectory;
  /** Environment for child processes, without secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** The names of secrets that are not in it. */
  readonly withheld?: ReadonlySet<string>;
  /** Whether git may run what the repository's own configuration names when a command only reads; `off` by default. */
  readonly repositoryPrograms?: 'run' | 'off';
  /** Variables that hooks left for later commands: read by the shell before each one, when the file exists. */
  readonly envFile?: string;
  /** Where commands run; absent where they run as we do. */
  readonly sandbox?: Sandbox;
  readonly readFiles: ReadFiles;
  readonly shells: BackgroundShells;
  /** What outlives the turn: its end is reported to the agent that started it. */
  readonly background: BackgroundTasks;
  readonly tasks: TaskList;
  readonly agentId?: string;
  /** Absent where subagents may not start (inside a subagent). */
  readonly runSubagent?: (request: SubagentRequest) => AsyncGenerator<Readonly<Record<string, unknown>>, SubagentEnd>;
  /** Subagents that may run side by side; without a limit when absent. */
  readonly maxConcurrentSubagents?: number;
  /**
   * For a tool that takes something for the rest of the turn (a lock, the screen): what gives it back when the turn ends,
   * however it ends. The returned function takes the registration back.
   */
  readonly registerCleanup: (name: string, cleanUp: () => Promise<void> | void) => () => void;
  /** Whether permission rules let a search show a file, by its absolute path; absent where all may be shown. */
  readonly mayShow?: (path: string) => boolean;
  /** Where commands may leave the shell; absent where they may leave it anywhere. */
  readonly workingFolders?: readonly string[];
  /** The real name of a kind of subagent, so that a rule for `Explore` also holds for `explore`. */
  readonly subagentName?: (asked: string) => string;
  /** Asks the TaskCreated or TaskCompleted hooks; a text is why not. */
  readonly askTaskHooks: (event: 'TaskCreated' | 'TaskCompleted', task: TaskFacts) => Promise<string | null>;
}

export interface TaskFacts {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
}
