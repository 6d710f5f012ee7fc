import type { EventRow } from '../../../../hooks/events/eventRow.ts';
import { allEvents } from '../../../../hooks/events/eventTable.ts';
import type { Page } from '../../../output/page.ts';
import { visibleText } from '../../../output/visibleText.ts';
import { brokenText, hookFacts, hookLine } from '../hookLines.ts';
import type { BrokenEntry } from './brokenEntries.ts';
import { countHooks, countInWords, type HookList, type ListedHook } from './listedHooks.ts';

export interface ListWish {
  /** Only this one. */
  readonly event?: EventRow;
  /** Events without hooks as well. */
  readonly all: boolean;
}

/** The list for a person: hooks under their events, then how many there are. */
export function listText(list: HookList, wish: ListWish, page: Page): string {
  const rows = wish.event === undefined ? allEvents() : [wish.event];
  const nowhere = wish.event === undefined ? list.broken.filter(({ event }) => event === undefined) : [];
  const groups = rows.flatMap((row) => {
    const hooks = list.hooks.filter(({ hook }) => hook.event === row.name);
    const broken = list.broken.filter(({ event }) => event === row.name);
    if (hooks.length + broken.length > 0) return [[heading(row, page), ...entries(hooks, broken, page), ''].join('\n')];
    return wish.all ? [`${heading(row, page)}${row.fired ? page.paint('dim', '  no hooks') : ''}`] : [];
  });
  const lost = nowhere.length === 0 ? [] : [page.paint('bold', 'Of no event'), ...entries([], nowhere, page), ''];
  return [...groups, ...lost, ending(list, wish, groups.length > 0)].join('\n');
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

function ending(list: HookList, { event, all }: ListWish, listed: boolean): string {
  const counts = countHooks(list);
  if (counts.total > 0) return countInWords(counts);
  const none = `No hooks are configured${event === undefined ? '' : ` for ${event.name}`}.`;
  const hint = 'They stand under "hooks" in ~/.claude/settings.json or .claude/settings.json.';
  return `${listed && all ? '\n' : ''}${none} ${hint}`;
}
