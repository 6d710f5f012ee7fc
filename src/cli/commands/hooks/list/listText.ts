import type { EventRow } from '../../../../hooks/events/eventRow.ts';
import { allEvents } from '../../../../hooks/events/eventTable.ts';
import type { Page } from '../../../output/page.ts';
import { visibleText } from '../../../output/visibleText.ts';
import { brokenText, hookFacts, hookLine } from '../hookLines.ts';
import type { BrokenEntry } from './brokenEntries.ts';
import { countHooks, countText, type HookList, type ListedHook } from './listedHooks.ts';

export interface ListFilter {
  /** Only the hooks of this event. */
  readonly event?: EventRow;
  /** Include events without hooks. */
  readonly all: boolean;
}

/** Hooks grouped by event, then their number. */
export function listText(list: HookList, filter: ListFilter, page: Page): string {
  const rows = filter.event === undefined ? allEvents() : [filter.event];
  const unknown = filter.event === undefined ? list.broken.filter(({ event }) => event === undefined) : [];
  const groups = rows.flatMap((row) => {
    const hooks = list.hooks.filter(({ hook }) => hook.event === row.name);
    const broken = list.broken.filter(({ event }) => event === row.name);
    if (hooks.length + broken.length > 0) return [[heading(row, page), ...entries(hooks, broken, page), ''].join('\n')];
    return filter.all ? [`${heading(row, page)}${row.fired ? page.paint('dim', '  no hooks') : ''}`] : [];
  });
  const others = unknown.length === 0 ? [] : [page.paint('bold', 'No valid event'), ...entries([], unknown, page), ''];
  return [...groups, ...others, ending(list, filter, groups.length > 0)].join('\n');
}

function heading({ name, fired }: EventRow, { paint }: Page): string {
  return fired ? paint('bold', name) : `${paint('bold', name)}  ${paint('yellow', 'not fired by this agent')}`;
}

const WORD_WIDTH = 'skipped'.length;
const UNDER = WORD_WIDTH + 4;

function entries(hooks: readonly ListedHook[], broken: readonly BrokenEntry[], page: Page): readonly string[] {
  return [...hooks.map((one) => hookText(one, page)), ...broken.map((one) => brokenText(one, WORD_WIDTH, page))];
}

function hookText({ hook, state, notes }: ListedHook, page: Page): string {
  const runs = state.type === 'runs';
  const word = page.paint(runs ? 'green' : 'yellow', state.type.padEnd(WORD_WIDTH));
  return [
    hookLine(hook, word, page),
    page.paint('dim', page.block(hookFacts(hook, page), UNDER)),
    ...(runs ? [] : [page.paint('yellow', page.block(visibleText(state.reason), UNDER))]),
    ...notes.map((note) => page.paint('yellow', page.block(`note: ${visibleText(note)}`, UNDER))),
  ].join('\n');
}

function ending(list: HookList, { event, all }: ListFilter, listed: boolean): string {
  const counts = countHooks(list);
  if (counts.total > 0) return countText(counts);
  const none = `No hooks are configured${event === undefined ? '' : ` for ${event.name}`}.`;
  const hint = 'Add them under "hooks" in ~/.claude/settings.json or .claude/settings.json.';
  return `${listed && all ? '\n' : ''}${none} ${hint}`;
}
