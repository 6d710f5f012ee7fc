import path from 'node:path';
import type { Payload } from '../hosts/callers.ts';
import { findConfig } from './checks/findConfig.ts';

/** The file with the definition of done of the project that a payload comes from; null without one. */
export function configOf({ cwd }: Payload, env: Readonly<Record<string, string>>): string | null {
  // the project's root where the host names it: `cwd` follows the agent around
  return findConfig(env.CLAUDE_PROJECT_DIR || (typeof cwd === 'string' && path.isAbsolute(cwd) ? cwd : process.cwd()));
}
