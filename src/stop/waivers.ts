import { jsonValue } from '../schemas/jsonValue.ts';
import { type Waiver, waivers } from '../schemas/waiver.ts';
import { readSealedFile, writeSealedFile } from '../system/sealedFile.ts';
import { sessionFile } from './startFile.ts';

/** What a person accepted in a session although it fails. Agents cannot: `stopgate waive` refuses them. */
export async function readWaivers(stopgateHome: string, session: string): Promise<readonly Waiver[]> {
  const read = await readSealedFile(stopgateHome, sessionFile(stopgateHome, 'waivers', session));
  return (read.type === 'sealed' ? waivers.safeParse(jsonValue(read.text)).data : undefined) ?? [];
}

/** Whether something other than `stopgate waive` wrote them. */
export const areWaiversForged = async (stopgateHome: string, session: string): Promise<boolean> =>
  (await readSealedFile(stopgateHome, sessionFile(stopgateHome, 'waivers', session))).type === 'changed';

/** A second waiver of the same check replaces the first. */
export async function addWaiver(stopgateHome: string, session: string, waiver: Waiver): Promise<void> {
  const others = (await readWaivers(stopgateHome, session)).filter(({ check }) => check !== waiver.check);
  const file = sessionFile(stopgateHome, 'waivers', session);
  await writeSealedFile(stopgateHome, file, JSON.stringify([...others, waiver], null, 2));
}
