import path from 'node:path';
import { findProgram } from '../system/findProgram.ts';
import type { AgentCommand } from './host.ts';

export interface AgentFolder {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Each task gets its own folder, which does not exist yet. */
  readonly worktrees: boolean;
}

/** A sentence why this agent cannot be started here; null when it can. */
export function whyNoAgent(
  { file, agent: host }: Pick<AgentCommand, 'file' | 'agent'>,
  { cwd, env, worktrees }: AgentFolder,
): string | null {
  const isPath = file.includes('/');
  if (worktrees && isPath && !path.isAbsolute(file)) return null;
  if (findProgram(file, { cwd, searchPath: env.PATH }) !== null) return null;
  const what = isPath ? `${path.resolve(cwd, file)} is not an executable program` : `${file} is not on the PATH`;
  return `The agent cannot be started: ${what}; ${host.install === undefined ? '' : `${host.install}, or `}name another with --agent.`;
}
