import { existsSync } from 'node:fs';
import { trustStore } from '../../../session/trust/trustStore.ts';
import type { World } from '../../../system/world.ts';
import type { Writer } from '../../../system/writer.ts';
import { visibleText } from '../../output/visibleText.ts';

/** `stopgate trust --list`. */
export async function listTrusted(writer: Writer, world: World, json: boolean): Promise<number> {
  const records = await trustStore(world.stopgateHome).list();
  const folders = records.map(({ folder, trustedAt }) => ({ folder, trustedAt, exists: existsSync(folder) }));
  if (json) {
    writer.out(`${JSON.stringify(folders)}\n`);
    return 0;
  }
  if (folders.length === 0) writer.out('No folder is trusted.\n');
  for (const { folder, trustedAt, exists } of folders) {
    writer.out(`${dayOf(trustedAt)}  ${visibleText(folder)}${exists ? '' : '  (not there any more)'}\n`);
  }
  return 0;
}

/** `2026-03-01 14:05`, in local time. */
function dayOf(trustedAt: string): string {
  const at = new Date(trustedAt);
  if (Number.isNaN(at.getTime())) return 'at some time    ';
  const two = (n: number) => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
