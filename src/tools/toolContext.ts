import type { Task, TaskList } from '../session/taskList.ts';
import type { Clock } from '../system/clock.ts';
import type { ProcessRunner } from '../system/processes.ts';
import type { BackgroundTasks } from './background/backgroundTasks.ts';
import type { BackgroundShells } from './bash/backgroundShells.ts';
import type { Sandbox } from './bash/sandbox.ts';
import type { ReadFiles } from './files/diskFile.ts';

export interface SubagentRequest {
  readonly prompt: string;
  readonly description: string;
  readonly subagentType: string;
  /** As the model wrote it; the runner may ignore it. */
  readonly model?: string | undefined;
  readonly toolUseId: string;
  readonly signal: AbortSignal;
}

/** How a subagent ended; `answer` is its last text in any case. */
export interface SubagentEnd {
  readonly agentId: string;
  readonly reason: string;
  readonly completed: boolean;
  readonly answer: string;
  readonly totalTokens: number;
  readonly totalToolUses: number;
  readonly durationMs: number;
}

/** The first progress event of a subagent. */
export interface SubagentStarted {
  readonly type: 'agent_started';
  readonly agentId: string;
  readonly transcriptPath: string;
}

/** The directory that `cd` changes, shared by all calls of one agent. */
export interface WorkingDirectory {
  readonly projectDir: string;
  current(): string;
  /** A copy for a subagent, whose `cd` does not move its parent. */
  fork(): WorkingDirectory;
  moveTo(directory: string): void;
}

/** Everything a tool may use; no tool uses globals. */
export interface ToolContext {
  readonly toolUseId: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly processes: ProcessRunner;
  readonly directory: WorkingDirectory;
  /** Environment for child processes, without secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** The names of those secrets. */
  readonly withheld?: ReadonlySet<string>;
  /** Whether git may run programs from the repository's configuration in reading commands; `off` by default. */
  readonly repositoryPrograms?: 'run' | 'off';
  /** Variables from hooks: the shell sources this file, if it exists, before each command. */
  readonly envFile?: string;
  readonly sandbox?: Sandbox | undefined;
  readonly readFiles: ReadFiles;
  readonly shells: BackgroundShells;
  /** Tasks that outlive the turn; the agent that started one is notified of its end. */
  readonly background: BackgroundTasks;
  readonly tasks: TaskList;
  readonly agentId?: string;
  /** Absent inside a subagent. */
  readonly runSubagent?: (request: SubagentRequest) => AsyncGenerator<Readonly<Record<string, unknown>>, SubagentEnd>;
  /** The limit of background subagents, if any. */
  readonly maxConcurrentSubagents?: number;
  /** Registers what releases a resource (a lock, the screen) at the end of the turn. Returns the undo function. */
  readonly registerCleanup: (name: string, cleanUp: () => Promise<void> | void) => () => void;
  /** Whether permission rules allow a search to show this absolute path; absent without limits. */
  readonly mayShow?: (path: string) => boolean;
  /** The folders where `cd` may end; absent without limits. */
  readonly workingFolders?: readonly string[];
  /** The exact name of a kind of subagent, so that a rule for `Explore` also applies to `explore`. */
  readonly subagentName?: (name: string) => string;
  /** Runs the TaskCreated or TaskCompleted hooks; a text is the reason of a refusal. */
  readonly askTaskHooks: (event: 'TaskCreated' | 'TaskCompleted', task: TaskFacts) => Promise<string | null>;
}

export type TaskFacts = Pick<Task, 'id' | 'subject' | 'description'>;
