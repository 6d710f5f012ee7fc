import path from 'node:path';
import { build } from 'rolldown';

/** Into one file: on a busy machine a process that has to find and strip forty modules takes longer to start than to live. */
export async function bundle(script: string, folder: string): Promise<string> {
  const file = path.join(folder, `${path.basename(script, '.ts')}.mjs`);
  await build({
    input: script,
    platform: 'node',
    moduleTypes: { '.sql': 'text' },
    logLevel: 'silent',
    output: { file, format: 'esm', codeSplitting: false },
  });
  return file;
}
