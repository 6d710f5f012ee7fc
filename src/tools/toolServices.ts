import type { TaskList } from '../session/taskList.ts';
import { memoryTaskList } from '../session/taskList.ts';
import { AgentDirectory } from '../session/workingDirectory.ts';
import { type Clock, systemClock } from '../system/clock.ts';
import type { ProcessRunner } from '../system/processes.ts';
import { spawnProcesses } from '../system/spawnProcesses.ts';
import { backgroundTasks } from './background/backgroundTasks.ts';
import { backgroundShells } from './bash/backgroundShells.ts';
import type { Sandbox } from './bash/sandbox.ts';
import { readFiles } from './files/readFiles.ts';
import type { ToolContext } from './toolContext.ts';

/** The part of the tool context that a whole session shares. */
export type ToolServices = Omit<
  ToolContext,
  'toolUseId' | 'signal' | 'runSubagent' | 'askTaskHooks' | 'registerCleanup'
>;

export interface ToolServicesOptions {
  readonly projectDir: string;
  /** The environment of the model's commands. */
  readonly env: Readonly<Record<string, string>>;
  /** The names of secrets that it does not contain. */
  readonly withheld?: ReadonlySet<string>;
  readonly envFile?: string;
  /** `run` in a project that the user trusts. */
  readonly repositoryPrograms?: 'run' | 'off';
  /** For the output of background commands, which is not kept by default. */
  readonly outputFolder?: string;
  readonly sandbox?: Sandbox | undefined;
  readonly processes?: ProcessRunner;
  readonly clock?: Clock;
  /** The agent's own list by default; a team shares one. */
  readonly tasks?: TaskList;
}

export function toolServices({
  projectDir,
  env,
  withheld,
  envFile,
  repositoryPrograms = 'off',
  outputFolder,
  sandbox,
  processes = spawnProcesses(),
  clock = systemClock,
  tasks = memoryTaskList(),
}: ToolServicesOptions): ToolServices {
  return {
    clock,
    processes,
    directory: new AgentDirectory(projectDir),
    env,
    ...(withheld && { withheld }),
    repositoryPrograms,
    ...(envFile === undefined ? {} : { envFile }),
    ...(sandbox && { sandbox }),
    readFiles: readFiles(),
    shells: backgroundShells(processes, { clock, outputFolder }),
    background: backgroundTasks(),
    tasks,
  };
}
