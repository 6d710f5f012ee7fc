import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { writePrivateFile } from '../../system/atomicFile.ts';
import { type Memory, memoryText, readMemory } from './memoryFile.ts';

export const INDEX_NAME = 'MEMORY.md';

export interface StoredMemory extends Memory {
  /** The file's name, `.md` included. */
  readonly file: string;
  readonly bytes: number;
  /** Of the file as it was read, to detect later changes. */
  readonly digest: string;
}

const MAX_INDEX_LINES = 150;
const MAX_READ_FILES = 500;

/** A project's memory, beside its transcripts: it belongs to the user, not to the repository. */
export const memoryFolder = (sessionsDir: string): string => path.join(sessionsDir, 'memory');

export const textDigest = (text: string): string => hash('sha256', text).slice(0, 16);

/** All facts of a folder by name; other files are ignored, a missing folder is empty. */
export async function readMemories(folder: string): Promise<readonly StoredMemory[]> {
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => name.endsWith('.md') && name !== INDEX_NAME)
    .sort()
    .slice(0, MAX_READ_FILES);
  const read = await Promise.all(
    names.map(async (file): Promise<StoredMemory[]> => {
      const text = await readFile(path.join(folder, file), 'utf8').catch(() => '');
      const memory = readMemory(text);
      // the file's own name counts: a name in its text could lead out of the folder
      const name = file.slice(0, -'.md'.length);
      return memory ? [{ ...memory, name, file, bytes: Buffer.byteLength(text), digest: textDigest(text) }] : [];
    }),
  );
  return read.flat();
}

export const fileOf = (name: string): string => `${name}.md`;

/** The name must be safe, see `safeName`. */
export async function writeMemory(folder: string, memory: Memory): Promise<void> {
  await writePrivateFile(path.join(folder, fileOf(memory.name)), memoryText(memory));
}

/** Rebuilt from the files each time, so that it includes the facts of other processes. */
export async function writeIndex(folder: string): Promise<void> {
  await writePrivateFile(path.join(folder, INDEX_NAME), indexText(await readMemories(folder)));
}

export function indexText(memories: readonly Memory[]): string {
  const lines = memories.slice(0, MAX_INDEX_LINES).map(indexLine);
  const more = memories.length - lines.length;
  return ['# Memory', '', ...lines, ...(more > 0 ? [`- … and ${more} more in this folder`] : []), ''].join('\n');
}

function indexLine({ name, description, type }: Memory): string {
  return `- [${name}](${fileOf(name)}) (${type}): ${description}`;
}

/** Changes when any fact does. */
export function folderDigest(memories: readonly StoredMemory[]): string {
  return textDigest(memories.map(({ file, digest }) => `${file} ${digest}`).join('\n'));
}
