import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../system/atomicFile.ts';
import { packageRoot } from '../../system/packageRoot.ts';
import { shellWord } from '../../system/shellWords.ts';

/** A folder whose `stopgate` is this one: agents settle tasks with that command, whatever is installed. */
export async function stopgateOnPath(stopgateHome: string): Promise<string> {
  const folder = path.join(stopgateHome, 'bin');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const quoted = [process.execPath, path.join(packageRoot(), 'bin/stopgate.js')].map(shellWord);
  const file = path.join(folder, 'stopgate');
  await writeFileAtomically(file, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`);
  await chmod(file, 0o755);
  return folder;
}
