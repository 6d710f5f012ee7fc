import { ownValue } from '../../../../system/ownValue.ts';
import { ago } from '../../../output/ago.ts';
import { oneLine } from '../../../output/visibleText.ts';
import type { StoreEvent } from '../../../wiring/store/openedStore.ts';
import { shortAge } from '../taskFacts.ts';
import type { Shown } from './attemptLines.ts';

/** What the attempts above say already. */
const HIDDEN = new Set(['attemptState', 'incarnation']);

export function eventLine(event: StoreEvent, { page, now }: Shown): string {
  const { at, kind, workerId, epoch, actor } = event;
  const who = actor ?? workerId;
  const parts = [epoch !== null && `epoch ${epoch}`, who !== null && `by ${who}`, ...factsOf(event)];
  const line = `${ago(at, now).padEnd(12)} ${kind.padEnd(18)} ${parts.filter(Boolean).join(' · ')}`;
  return `  ${oneLine(line, page.width - 2)}`;
}

const MOMENTS: Readonly<Record<string, string>> = { runAt: 'due', deadlineAt: 'ends' };

/** What is nothing is not told; a moment is told as a length of time. */
function factsOf({ at, data }: StoreEvent): string[] {
  return Object.entries(data).flatMap(([name, value]) => {
    if (!value || HIDDEN.has(name)) return [];
    const moment = ownValue(MOMENTS, name);
    if (moment === undefined) return [`${name} ${value}`];
    return Number(value) > at ? [`${moment} ${shortAge(Number(value) - at)} later`] : [];
  });
}
