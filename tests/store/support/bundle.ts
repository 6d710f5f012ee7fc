import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'rolldown';
import { runFolder } from '../../support/runFolder.ts';

/**
 * Into one file: on a busy machine a process that has to find and strip forty modules takes longer to start than to live. Each
 * script is bundled once per run of tests.
 */
export async function bundle(script: string, folder: string): Promise<string> {
  const file = path.join(runFolder() ?? folder, `.bundled-${path.basename(script, '.ts')}.mjs`);
  if (existsSync(file)) return file;
  const partial = `${file}.${process.pid}.${process.hrtime.bigint()}`;
  await build({
    input: script,
    platform: 'node',
    moduleTypes: { '.sql': 'text' },
    logLevel: 'silent',
    output: { file: partial, format: 'esm', codeSplitting: false },
  });
  // another test file may have bundled it meanwhile; a process that has just started reads the one that it found
  await rename(partial, file);
  return file;
}
