import { memoryTaskList } from '../session/taskList.ts';
import { systemClock } from '../system/clock.ts';
import { spawnProcesses } from '../system/spawnProcesses.ts';
import { backgroundTasks } from '../tools/background/backgroundTasks.ts';
import { backgroundShells } from '../tools/bash/backgroundShells.ts';
import { parseToolInput } from '../tools/parseInput.ts';
import type { Tool, ToolOutcome, ToolProgress } from '../tools/tool.ts';
import type { ToolContext, WorkingDirectory } from '../tools/toolContext.ts';
import { tempFolder } from './tempFolder.ts';

/** A working directory without restrictions. */
export function freeDirectory(projectDir: string, startsAt = projectDir): WorkingDirectory {
  let current = startsAt;
  return {
    projectDir,
    current: () => current,
    fork: () => freeDirectory(projectDir, current),
    moveTo: (directory) => {
      current = directory;
    },
  };
}

/** A whole tool context on a temp folder, with real processes; both are removed with its scope. */
export async function testToolContext(overrides: Partial<ToolContext> = {}): Promise<ToolContext & AsyncDisposable> {
  const folder = await tempFolder();
  const processes = overrides.processes ?? spawnProcesses();
  const cleanups = new Set<() => Promise<void> | void>();
  return {
    toolUseId: 'toolu_test',
    signal: new AbortController().signal,
    clock: systemClock,
    processes,
    directory: freeDirectory(folder.path),
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: folder.path, LC_ALL: 'C.UTF-8' },
    readFiles: new Map(),
    shells: backgroundShells(processes),
    background: backgroundTasks(),
    tasks: memoryTaskList(),
    askTaskHooks: async () => null,
    registerCleanup: (_name, cleanUp) => {
      cleanups.add(cleanUp);
      return () => cleanups.delete(cleanUp);
    },
    ...overrides,
    async [Symbol.asyncDispose]() {
      for (const cleanUp of cleanups) await cleanUp();
      await processes.endAll();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Calls a tool as the loop does, with unchecked input; invalid input is a bug in the test. */
export async function callTool(
  tool: Tool,
  input: unknown,
  context: ToolContext,
): Promise<{ readonly outcome: ToolOutcome; readonly progress: readonly ToolProgress[] }> {
  const parsed = parseToolInput(tool, input);
  if (parsed.type === 'invalid') throw new Error(parsed.message);
  const progress: ToolProgress[] = [];
  const calls = tool.call(parsed.input, context);
  for (;;) {
    const step = await calls.next();
    if (step.done) return { outcome: step.value, progress };
    progress.push(step.value);
  }
}
