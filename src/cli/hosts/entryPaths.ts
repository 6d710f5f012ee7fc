import path from 'node:path';
import type { EntryPaths } from '../../hosts/claudeCode/entries.ts';
import { packageRoot } from '../packageRoot.ts';

/** Where what an agent's settings call is: absolute, since hooks run in whatever folder the agent is in. */
export function entryPaths(): EntryPaths {
  const root = packageRoot();
  // the script behind `stopgate hook` itself: the command before it would cost a sixth of a bare start
  return { packageRoot: root, stopgate: [process.execPath, path.join(root, 'dist/hook.cjs')] };
}
