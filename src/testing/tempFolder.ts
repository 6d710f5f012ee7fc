import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempFolder extends AsyncDisposable {
  /** Without symbolic links, so that it equals the output of `pwd -P`. */
  readonly path: string;
}

/** A folder that is removed with its scope: `await using folder = await tempFolder();`. */
export async function tempFolder(): Promise<TempFolder> {
  const path = await mkdtemp(join(await realpath(tmpdir()), 'stopgate-test-'));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
