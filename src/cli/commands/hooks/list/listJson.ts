import { allEvents, eventFacts } from '../../../../hooks/events/eventTable.ts';
import type { SettingsProblem } from '../../../../session/settings/types.ts';
import { hookJson } from '../hookJson.ts';
import type { BrokenEntry } from './brokenEntries.ts';
import { countHooks, type HookList, type ListedHook } from './listedHooks.ts';
import type { ListWish } from './listText.ts';

export interface ListFacts extends ListWish {
  readonly trusted: boolean;
  readonly problems: readonly SettingsProblem[];
}

/** The list for a script; nothing is cut. */
export function listJson(list: HookList, { all, trusted, problems }: ListFacts) {
  return {
    trusted,
    hooks: [...list.hooks.map(listedJson), ...list.broken.map(brokenJson)],
    counts: countHooks(list),
    ...(all ? { events: allEvents().map((row) => eventJson(row.name, row.fired, list)) } : {}),
    problems: problems.map(({ message }) => message),
  };
}

function listedJson({ hook, state, notes }: ListedHook) {
  const reason = state.type === 'runs' ? null : state.reason;
  return { state: state.type, reason, ...hookJson(hook), fired: eventFacts(hook.event).fired, notes };
}

function brokenJson({ event, file, line, path, problems }: BrokenEntry) {
  return { state: 'broken', reason: problems.join('; '), event: event ?? null, file, line: line ?? null, path };
}

function eventJson(name: string, fired: boolean, list: HookList) {
  return { name, fired, hooks: list.hooks.filter(({ hook }) => hook.event === name).length };
}
