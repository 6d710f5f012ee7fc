import { settingsFiles } from '../../../../session/settings/settingsFiles.ts';
import { readTextFileSync } from '../../../../system/readTextFile.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';

/**
 * Whether any settings file could name a TaskCompleted hook, without reading what it says: a completion must not wait for
 * the hook engine when there is nothing to ask. A file that cannot be read counts, so that it is told of.
 */
export async function mayHaveTaskHooks({ cwd, homeDir, env }: TaskWorld): Promise<boolean> {
  const files = await settingsFiles({ projectDir: cwd, homeDir, env });
  return files.some(({ file }) => mentions(file));
}

const LARGEST_BYTES = 1_000_000;

function mentions(file: string): boolean {
  const read = readTextFileSync(file, LARGEST_BYTES);
  if (read.type !== 'read') return read.type === 'unreadable';
  // a name may be written with escapes
  return read.cut || read.text.includes('TaskCompleted') || read.text.includes('\\u');
}
