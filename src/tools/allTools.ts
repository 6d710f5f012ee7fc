import { agentTool } from './agent/agent.ts';
import { bashTool } from './bash/bash.ts';
import { bashOutputTool } from './bash/bashOutput.ts';
import { killShellTool } from './bash/killShell.ts';
import { editTool } from './files/edit.ts';
import { notebookEditTool } from './files/notebookEdit.ts';
import { readTool } from './files/read.ts';
import { writeTool } from './files/write.ts';
import { makeGlobTool } from './search/glob.ts';
import { makeGrepTool } from './search/grep.ts';
import { taskCreateTool } from './tasks/taskCreate.ts';
import { taskGetTool } from './tasks/taskGet.ts';
import { taskListTool } from './tasks/taskList.ts';
import { taskUpdateTool } from './tasks/taskUpdate.ts';
import type { Tool } from './tool.ts';

const TOOLS: readonly Tool[] = [
  bashTool,
  bashOutputTool,
  killShellTool,
  readTool,
  writeTool,
  editTool,
  notebookEditTool,
  makeGlobTool(),
  makeGrepTool(),
  agentTool,
  taskCreateTool,
  taskUpdateTool,
  taskListTool,
  taskGetTool,
];

/** All tools, in the order that models see; always the same objects. */
export function allTools(): readonly Tool[] {
  return TOOLS;
}
