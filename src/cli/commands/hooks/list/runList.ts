import type { EventRow } from '../../../../hooks/events/eventRow.ts';
import { allEvents, eventFacts } from '../../../../hooks/events/eventTable.ts';
import { isTrustedAtAll } from '../../../../session/trust/folderTrust.ts';
import { thisWorld } from '../../../../system/world.ts';
import { drained, processWriter } from '../../../../system/writer.ts';
import { type Page, pageFor } from '../../../output/page.ts';
import { agentFiles } from '../../../wiring/agentFiles.ts';
import { gatherHooks } from '../../../wiring/configuredHooks.ts';
import type { PromptFlags } from '../../../wiring/promptFlags.ts';
import { projectTrust, readSettings } from '../../../wiring/readSettings.ts';
import type { Flags } from '../../task/taskOptions.ts';
import { requireEvent } from '../eventInput.ts';
import { brokenText, hookJson, hookText } from '../hookLines.ts';
import type { BrokenEntry } from './brokenEntries.ts';
import { countHooks, countText, type HookList, type ListedHook, listHooks } from './listedHooks.ts';

/** `stopgate hooks list`: reads settings, runs nothing. */
export async function runList(options: Flags<'event', 'all' | 'json' | 'strict'>, flags: PromptFlags): Promise<number> {
  const event = options.event === undefined ? undefined : requireEvent(options.event);
  const all = options.all === true;
  const world = thisWorld();
  const writer = processWriter(() => {});
  const trust = projectTrust(flags, world);
  const settings = await readSettings(flags, world, trust);
  const { agents, problems: ofAgents } = await agentFiles(world, trust);
  const gathered = gatherHooks({ settings, trust, world, bare: false, agents });
  const everything = listHooks(gathered, settings.merged.hooks);
  const list = event === undefined ? everything : only(everything, event.name);
  const unread = [...settings.problems, ...ofAgents].filter(({ level }) => level !== 'skipped');
  const problems = unread.map(({ message }) => message);
  if (options.json)
    writer.out(`${JSON.stringify({ trusted: isTrustedAtAll(trust), ...listJson(list, all), problems })}\n`);
  else {
    writer.out(`${listText(list, { event, all }, pageFor(writer, world))}\n`);
    for (const problem of problems) writer.err(`stopgate: ${problem}\n`);
  }
  await drained();
  const { run, total } = countHooks(list);
  // a file that could not be read may contain hooks that are not listed
  return options.strict && (run < total || unread.some(({ level }) => level === 'error')) ? 1 : 0;
}

function only({ hooks, broken }: HookList, name: string): HookList {
  return { hooks: hooks.filter(({ hook }) => hook.event === name), broken: broken.filter((one) => one.event === name) };
}

function listJson(list: HookList, all: boolean) {
  const events = allEvents().map(({ name, fired }) => ({ name, fired, hooks: only(list, name).hooks.length }));
  return {
    hooks: [...list.hooks.map(listedJson), ...list.broken.map(brokenJson)],
    counts: countHooks(list),
    ...(all ? { events } : {}),
  };
}

function listedJson({ hook, whyNot, notes }: ListedHook) {
  const state = whyNot === null ? 'runs' : 'skipped';
  return { state, reason: whyNot, ...hookJson(hook), fired: eventFacts(hook.event).fired, notes };
}

function brokenJson({ event, file, line, path, problems }: BrokenEntry) {
  return { state: 'broken', reason: problems.join('; '), event: event ?? null, file, line: line ?? null, path };
}

interface ListFilter {
  /** Only the hooks of this event. */
  readonly event: EventRow | undefined;
  /** Include events without hooks. */
  readonly all: boolean;
}

/** Hooks grouped by event, then their number. */
function listText(list: HookList, { event, all }: ListFilter, page: Page): string {
  const unknown = list.broken.filter((one) => one.event === undefined);
  const groups = (event === undefined ? allEvents() : [event]).flatMap((row) => {
    const own = only(list, row.name);
    if (own.hooks.length + own.broken.length > 0) return [[heading(row, page), ...entries(own, page), ''].join('\n')];
    return all ? [`${heading(row, page)}${row.fired ? page.paint('dim', '  no hooks') : ''}`] : [];
  });
  const others = [page.paint('bold', 'No valid event'), ...entries({ hooks: [], broken: unknown }, page), ''];
  const counts = countHooks(list);
  const none = `No hooks are configured${event === undefined ? '' : ` for ${event.name}`}.`;
  const hint = 'Add them under "hooks" in ~/.claude/settings.json or .claude/settings.json.';
  const ending = counts.total > 0 ? countText(counts) : `${groups.length > 0 ? '\n' : ''}${none} ${hint}`;
  return [...groups, ...(unknown.length === 0 ? [] : others), ending].join('\n');
}

function heading({ name, fired }: EventRow, { paint }: Page): string {
  return fired ? paint('bold', name) : `${paint('bold', name)}  ${paint('yellow', 'not fired by this agent')}`;
}

const WORD_WIDTH = 'skipped'.length;

function entries({ hooks, broken }: HookList, page: Page): readonly string[] {
  return [...hooks.map((one) => listedText(one, page)), ...broken.map((one) => brokenText(one, WORD_WIDTH, page))];
}

function listedText({ hook, whyNot, notes }: ListedHook, page: Page): string {
  const noted = notes.map((note) => `note: ${note}`);
  const indent = WORD_WIDTH + 4;
  return whyNot === null
    ? hookText(hook, { word: 'runs'.padEnd(WORD_WIDTH), color: 'green', indent, notes: noted }, page)
    : hookText(hook, { word: 'skipped', color: 'yellow', indent, notes: [whyNot, ...noted] }, page);
}
