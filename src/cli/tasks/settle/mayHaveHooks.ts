import { readFileSync } from 'node:fs';
import { settingsFiles } from '../../../session/settings/settingsFiles.ts';
import type { TaskWorld } from '../taskWorld.ts';

/**
 * Whether any settings file could name a TaskCompleted hook, without reading what it says: a completion must not wait for
 * the hook engine when there is nothing to ask. A file that cannot be read counts, so that it is told of.
 */
export async function mayHaveTaskHooks({ cwd, homeDir, env }: TaskWorld): Promise<boolean> {
  const files = await settingsFiles({ projectDir: cwd, homeDir, env });
  return files.some(({ file }) => mentions(file));
}

function mentions(file: string): boolean {
  try {
    const text = readFileSync(file, 'utf8');
    // a name may be written with escapes
    return text.includes('TaskCompleted') || text.includes('\\u');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
