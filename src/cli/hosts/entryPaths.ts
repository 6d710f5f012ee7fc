import path from 'node:path';
import type { EntryPaths } from '../../hosts/claudeCode/entries.ts';
import { packageRoot } from '../packageRoot.ts';

/** Where what an agent's settings call is: absolute, since hooks run in whatever folder the agent is in. */
export function entryPaths(): EntryPaths {
  const root = packageRoot();
  return { packageRoot: root, stopgate: [process.execPath, path.join(root, 'bin/stopgate.js')] };
}
