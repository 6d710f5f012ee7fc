import { memoryTaskList } from '../session/taskList.ts';
import { AgentDirectory } from '../session/workingDirectory.ts';
import { systemClock } from '../system/clock.ts';
import { spawnProcesses } from '../system/spawnProcesses.ts';
import { backgroundTasks } from './background/backgroundTasks.ts';
import { backgroundShells } from './bash/backgroundShells.ts';
import type { ToolContext } from './toolContext.ts';

/** The part of the tool context that a whole session shares. */
export type ToolServices = Omit<
  ToolContext,
  'toolUseId' | 'signal' | 'runSubagent' | 'askTaskHooks' | 'registerCleanup'
>;

interface ToolServicesOptions
  extends Pick<ToolContext, 'env' | 'withheld' | 'envFile' | 'repositoryPrograms' | 'sandbox'>,
    Partial<Pick<ToolContext, 'processes' | 'clock' | 'tasks'>> {
  readonly projectDir: string;
  /** For the output of background commands, which is not kept by default. */
  readonly outputFolder?: string;
}

export function toolServices({ projectDir, outputFolder, ...given }: ToolServicesOptions): ToolServices {
  const { clock = systemClock, processes = spawnProcesses() } = given;
  return {
    // the agent's own list; a team shares one
    tasks: memoryTaskList(),
    ...given,
    clock,
    processes,
    directory: new AgentDirectory(projectDir),
    readFiles: new Map(),
    shells: backgroundShells(processes, { clock, outputFolder }),
    background: backgroundTasks(),
  };
}
