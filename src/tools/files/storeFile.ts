import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomically } from '../../system/atomicFile.ts';
import { describeFileError } from './fileError.ts';
import { seenFile } from './loadFile.ts';
import type { ReadFiles } from './readFiles.ts';

/** Writes a file and remembers it as read. Returns the error as a sentence. */
export async function storeFile(path: string, bytes: Buffer, readFiles: ReadFiles): Promise<string | null> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomically(path, bytes);
    readFiles.remember(await realpath(path), seenFile(bytes, (await stat(path)).mtimeMs));
    return null;
  } catch (error) {
    return describeFileError('write', path, error);
  }
}
