import path from 'node:path';
import { buildSync } from 'esbuild';

/** Into one file: on a busy machine a process that has to find and strip forty modules takes longer to start than to live. */
export function bundle(script: string, folder: string): string {
  const outfile = path.join(folder, `${path.basename(script, '.ts')}.mjs`);
  const loader = { '.sql': 'text' } as const;
  buildSync({
    entryPoints: [script],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    outfile,
    loader,
  });
  return outfile;
}
