import type { HostShortage } from '../../../fleet/decisions/hostRoom.ts';
import { formatBytes } from '../../../system/formatBytes.ts';

/** Why a coordinator starts no worker on its host, with what it measured and the limit. */
export function describeShortage(shortage: HostShortage): string {
  return `${lackOf(shortage)} (\`fleet up --ignore-load\` starts them anyway)`;
}

const lackOf = (shortage: HostShortage) =>
  shortage.of === 'load'
    ? `the load of this host is ${shortage.perCore.toFixed(1)} per core; from ${shortage.limit} on, no more than one worker is started`
    : `this host has ${formatBytes(shortage.freeBytes)} of free memory; a worker is started only with ${formatBytes(shortage.neededBytes)}`;
