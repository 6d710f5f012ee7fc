import { findHosts, namedHosts } from '../../../hosts/findHosts.ts';
import { thisWorld } from '../../../system/world.ts';
import { printResult } from '../../output/printResult.ts';
import type { Flags } from '../task/taskOptions.ts';
import { gatherHost } from './gatherHosts.ts';
import { hostsText, hostText } from './hostsText.ts';

/** `stopgate hosts [NAME…]`. */
export async function runHosts(names: readonly string[], { json }: Flags<never, 'json'>): Promise<number> {
  const world = thisWorld();
  const wanted = names.length === 0 ? null : new Set(namedHosts(names));
  const found = findHosts(world).filter(({ host }) => wanted === null || wanted.has(host));
  const hosts = await Promise.all(found.map((one) => gatherHost(one, world)));
  return printResult(json ? hosts : null, world, (page) =>
    wanted === null ? hostsText(hosts, page) : hosts.map((host) => hostText(host, page)).join('\n'),
  );
}
