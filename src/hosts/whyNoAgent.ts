import path from 'node:path';
import { findProgram } from '../system/findProgram.ts';
import { agentCommand } from './agentCommand.ts';

export interface AgentFolder {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Each task has a folder of its own, which is not there yet. */
  readonly worktrees: boolean;
}

/** Why this agent (`claude`, `stopgate` or a command) could not be started here, as a sentence; null when it could. */
export function whyNoAgent(agent: string, { cwd, env, worktrees }: AgentFolder): string | null {
  const { file, wiredBy } = agentCommand({ agent, words: [], env });
  const isPath = file.includes('/');
  if (worktrees && isPath && !path.isAbsolute(file)) return null;
  if (findProgram(file, { cwd, searchPath: env.PATH }) !== null) return null;
  const what = isPath
    ? `${path.resolve(cwd, file)} is no program that may be executed`
    : `there is no ${file} on the PATH`;
  return `The agent cannot be started: ${what}; ${wiredBy === 'claudeSettings' ? FOR_CLAUDE : 'name another with --agent'}.`;
}

const FOR_CLAUDE =
  'install Claude Code (npm install -g @anthropic-ai/claude-code), set STOPGATE_CLAUDE to where it is, or name another with --agent';
