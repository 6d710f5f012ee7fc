import path from 'node:path';
import { packageRoot } from '../../system/packageRoot.ts';
import type { EntryPaths } from './entries.ts';

/** Where what an agent's settings call is: absolute, since hooks run in whatever folder the agent is in. */
export function entryPaths(): EntryPaths {
  const root = packageRoot();
  // the script behind `stopgate hook` itself: the command before it would cost a sixth of a bare start
  return { packageRoot: root, stopgate: [process.execPath, path.join(root, 'dist/hook.cjs')] };
}
