import { readFile } from 'node:fs/promises';
import { jsonValue } from '../schemas/jsonValue.ts';
import { type Waiver, waivers } from '../schemas/waiver.ts';
import { writePrivateFile } from '../system/atomicFile.ts';
import { sessionFile } from './startFile.ts';

/** What a person accepted in a session although it fails. Agents cannot: `stopgate waive` refuses them. */
export async function readWaivers(stopgateHome: string, session: string): Promise<readonly Waiver[]> {
  const text = await readFile(sessionFile(stopgateHome, 'waivers', session), 'utf8').catch(() => '');
  return waivers.safeParse(jsonValue(text)).data ?? [];
}

/** A second waiver of the same check replaces the first. */
export async function addWaiver(stopgateHome: string, session: string, waiver: Waiver): Promise<void> {
  const others = (await readWaivers(stopgateHome, session)).filter(({ check }) => check !== waiver.check);
  const file = sessionFile(stopgateHome, 'waivers', session);
  await writePrivateFile(file, `${JSON.stringify([...others, waiver], null, 2)}\n`);
}
