import { wallNow } from '../../../system/clock.ts';
import { thisWorld } from '../../../system/world.ts';
import { drained, processWriter } from '../../../system/writer.ts';
import { pageFor } from '../../output/page.ts';
import { gatherStatus } from './gatherStatus.ts';
import { statusText } from './statusText.ts';

export interface StatusOptions {
  readonly json?: boolean;
  readonly all?: boolean;
}

export async function runStatus(options: StatusOptions): Promise<number> {
  const world = thisWorld();
  const writer = processWriter(() => process.exit(0));
  const status = await gatherStatus(world, { all: options.all === true });
  const text = options.json
    ? `${JSON.stringify(status)}\n`
    : statusText(status, pageFor(writer, world), wallNow(world.clock));
  writer.out(text);
  await drained();
  return 0;
}
