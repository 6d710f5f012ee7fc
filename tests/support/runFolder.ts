import { tmpdir } from 'node:os';
import path from 'node:path';

/** The temp folder of a whole run, which is removed with it (`leftovers.ts`): for what is made once for all files. Null elsewhere. */
export function runFolder(): string | null {
  const folder = tmpdir();
  return path.basename(folder).startsWith('stopgate-run-') ? folder : null;
}
