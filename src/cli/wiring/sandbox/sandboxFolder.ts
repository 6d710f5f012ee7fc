import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seccompFilter } from '../../../system/sandbox/seccompFilter.ts';

export type SandboxFolder = ReturnType<typeof makeSandboxFolder>;

/** The kernel limits the length of socket paths. */
const LONGEST_FOLDER = 80;

/** The files of a session's sandbox, removed with it. */
export function makeSandboxFolder(env: Readonly<Record<string, string>>, warn: (sentence: string) => void) {
  const wanted = env.TMPDIR || tmpdir();
  const parent = realpathSync(wanted.length > LONGEST_FOLDER ? '/tmp' : wanted);
  const folder = mkdtempSync(path.join(parent, 'stopgate-sandbox-'));
  const at = (name: string) => path.join(folder, name);
  const sources = { emptyFile: at('empty-file'), deniedFolder: at('denied-folder') };
  mkdirSync(at('tmp'), { mode: 0o700 });
  mkdirSync(sources.deniedFolder, { mode: 0 });
  writeFileSync(sources.emptyFile, '', { mode: 0o400 });
  const filter = seccompFilter();
  if (filter) writeFileSync(at('filter.bpf'), filter, { mode: 0o600 });
  return {
    /** The commands' own temp folder, the only one of these that they can access. */
    temp: at('tmp'),
    sources,
    /** The compiled filter; undefined where there is none for this processor. */
    filterFile: filter && at('filter.bpf'),
    proxySocket: at('proxy.sock'),
    [Symbol.asyncDispose]: async () => {
      chmodSync(sources.deniedFolder, 0o700);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: Error) =>
        warn(`The sandbox's temp folder ${folder} could not be removed (${error.message}); remove it manually.`),
      );
    },
  };
}
