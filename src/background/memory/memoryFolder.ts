import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../system/atomicFile.ts';
import { type Memory, memoryText, readMemory } from './memoryFile.ts';

export const INDEX_NAME = 'MEMORY.md';

export interface StoredMemory extends Memory {
  /** The file's name, `.md` included. */
  readonly file: string;
  readonly bytes: number;
  /** Of the file as it was read: whoever replaces it later can tell whether it is still that. */
  readonly digest: string;
}

/** Index lines that are kept: a list nobody reads to its end is no index. */
const MAX_INDEX_LINES = 150;
const MAX_READ_FILES = 500;

/** A project's memory: beside its transcripts, so that it is the person's and not the repository's. */
export const memoryFolder = (sessionsDir: string): string => path.join(sessionsDir, 'memory');

export const textDigest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** All facts of a folder by name; files that are none are passed over, a missing folder is empty. */
export async function readMemories(folder: string): Promise<readonly StoredMemory[]> {
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => name.endsWith('.md') && name !== INDEX_NAME)
    .sort()
    .slice(0, MAX_READ_FILES);
  const read = await Promise.all(
    names.map(async (file): Promise<StoredMemory[]> => {
      const text = await readFile(path.join(folder, file), 'utf8').catch(() => '');
      const memory = readMemory(text);
      // the file's own name counts: one inside it could lead out of the folder
      const name = file.slice(0, -'.md'.length);
      return memory ? [{ ...memory, name, file, bytes: Buffer.byteLength(text), digest: textDigest(text) }] : [];
    }),
  );
  return read.flat();
}

export const fileOf = (name: string): string => `${name}.md`;

/** Writes one fact whole or not at all; its name was made safe before. */
export async function writeMemory(folder: string, memory: Memory): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomically(path.join(folder, fileOf(memory.name)), memoryText(memory), { mode: 0o600 });
}

/** Made anew from the files each time: two processes that wrote at once both end up in it. */
export async function writeIndex(folder: string): Promise<void> {
  const memories = await readMemories(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomically(path.join(folder, INDEX_NAME), indexText(memories), { mode: 0o600 });
}

export function indexText(memories: readonly Memory[]): string {
  const lines = memories.slice(0, MAX_INDEX_LINES).map(indexLine);
  const more = memories.length - lines.length;
  return ['# Memory', '', ...lines, ...(more > 0 ? [`- … and ${more} more in this folder`] : []), ''].join('\n');
}

function indexLine({ name, description, type }: Memory): string {
  return `- [${name}](${fileOf(name)}) (${type}): ${description}`;
}

/** One value for all facts together: changes when any of them does. */
export function folderDigest(memories: readonly StoredMemory[]): string {
  return textDigest(memories.map(({ file, digest }) => `${file} ${digest}`).join('\n'));
}
