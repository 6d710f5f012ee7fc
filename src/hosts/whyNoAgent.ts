import path from 'node:path';
import { findProgram } from '../system/findProgram.ts';
import type { AgentCommand } from './host.ts';

/** A sentence why this agent cannot be started here; null when it can. */
export function whyNoAgent(
  { file, agent: host }: Pick<AgentCommand, 'file' | 'agent'>,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): string | null {
  if (findProgram(file, cwd, env.PATH) !== null) return null;
  const what = path.isAbsolute(file) ? `${file} is not an executable program` : `${file} is not on the PATH`;
  return `The agent cannot be started: ${what}; ${host.install === undefined ? '' : `${host.install}, or `}name another with --agent.`;
}
