import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Ids } from '../../../system/ids.ts';
import { shortId } from '../../../system/ids.ts';
import { ownValue } from '../../../system/ownValue.ts';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'text/plain': 'txt',
};

/** Keeps what a server sent and no model can read, under a name that the server does not choose. */
export function saveToFolder(folder: string, server: string, ids: Ids) {
  return async (bytes: Buffer, mediaType: string): Promise<string> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `mcp-${server.replaceAll(/[^\w-]/g, '_').slice(0, 60)}-${shortId(ids)}`;
    const file = path.join(folder, `${name}.${ownValue(EXTENSIONS, mediaType) ?? 'bin'}`);
    await writeFile(file, bytes, { mode: 0o600, flag: 'wx' });
    return file;
  };
}
