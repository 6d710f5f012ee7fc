import { hash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type SettingsHoldRecord, settingsHold } from '../../schemas/settingsHold.ts';
import { writeFileAtomically } from '../../system/atomicFile.ts';
import { ABSENT, type FileState } from './fileState.ts';

/** Outside any repository, one file per settings file. */
const recordsFolder = (stopgateHome: string): string => path.join(stopgateHome, 'hosts', 'claudeCode');

export function recordFile(stopgateHome: string, file: string): string {
  return path.join(recordsFolder(stopgateHome), `${hash('sha256', file)}.json`);
}

export type ReadRecord =
  | { readonly type: 'record'; readonly record: SettingsHoldRecord }
  | { readonly type: 'none' }
  | { readonly type: 'unreadable' };

export async function readRecord(at: string): Promise<ReadRecord> {
  try {
    const read = settingsHold.safeParse(JSON.parse(await readFile(at, 'utf8')));
    return read.success ? { type: 'record', record: read.data } : { type: 'unreadable' };
  } catch (error) {
    return { type: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'none' : 'unreadable' };
  }
}

export async function writeRecord(at: string, record: SettingsHoldRecord): Promise<void> {
  await mkdir(path.dirname(at), { recursive: true, mode: 0o700 });
  const text = `${JSON.stringify(record, null, 2)}\n`;
  await writeFileAtomically(at, text, { mode: 0o600, beside: `.${path.basename(at)}.tmp` });
}

/** All settings files on this machine that have a record. */
export async function heldFiles(stopgateHome: string): Promise<readonly string[]> {
  const folder = recordsFolder(stopgateHome);
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[0-9a-f]+\.json$/.test(name));
  const read = await Promise.all(names.map((name) => readRecord(path.join(folder, name))));
  return read.flatMap((one) => (one.type === 'record' ? [one.record.file] : [])).sort();
}

export function originalState({ original }: SettingsHoldRecord): FileState {
  return original.type === 'absent' ? ABSENT : { type: 'bytes', bytes: Buffer.from(original.base64, 'base64') };
}

export function originalRecord(state: FileState): SettingsHoldRecord['original'] {
  return state.type === 'absent' ? state : { type: 'bytes', base64: state.bytes.toString('base64') };
}
