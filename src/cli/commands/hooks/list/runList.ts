import { allEvents, eventFacts } from '../../../../hooks/events/eventTable.ts';
import type { SettingsProblem } from '../../../../session/settings/types.ts';
import { thisWorld } from '../../../../system/world.ts';
import { drained, processWriter } from '../../../../system/writer.ts';
import { pageFor } from '../../../output/page.ts';
import { agentFiles } from '../../../wiring/agentFiles.ts';
import { gatherHooks } from '../../../wiring/configuredHooks.ts';
import type { PromptFlags } from '../../../wiring/promptFlags.ts';
import { isTrusted, readSettings } from '../../../wiring/readSettings.ts';
import { requireEvent } from '../eventInput.ts';
import { hookJson } from '../hookLines.ts';
import type { BrokenEntry } from './brokenEntries.ts';
import { countHooks, type HookList, type ListedHook, listHooks } from './listedHooks.ts';
import { type ListFilter, listText } from './listText.ts';

export interface ListOptions {
  readonly event?: string;
  readonly all?: boolean;
  readonly json?: boolean;
  readonly strict?: boolean;
}

/** `stopgate hooks list`: reads settings, runs nothing. */
export async function runList(options: ListOptions, flags: PromptFlags): Promise<number> {
  const event = options.event === undefined ? undefined : requireEvent(options.event);
  const world = thisWorld();
  const writer = processWriter(() => {});
  const trusted = await isTrusted(flags, world);
  const settings = await readSettings(flags, world, trusted);
  const files = await agentFiles(world, trusted);
  const gathered = gatherHooks({ settings, trusted, bare: false, env: world.env, agents: files.agents });
  const list = only(listHooks(gathered, settings.merged.hooks), event?.name);
  const problems = [...settings.problems, ...files.problems].filter(({ level }) => level !== 'skipped');
  const filter = { ...(event === undefined ? {} : { event }), all: options.all === true };
  if (options.json) writer.out(`${JSON.stringify(listJson(list, { ...filter, trusted, problems }))}\n`);
  else {
    writer.out(`${listText(list, filter, pageFor(writer, world))}\n`);
    for (const { message } of problems) writer.err(`stopgate: ${message}\n`);
  }
  await drained();
  const { run, total } = countHooks(list);
  // a file that could not be read may contain hooks that are not listed
  const unread = problems.some(({ level }) => level === 'error');
  return options.strict && (run < total || unread) ? 1 : 0;
}

function only(list: HookList, event: string | undefined): HookList {
  if (event === undefined) return list;
  return {
    hooks: list.hooks.filter(({ hook }) => hook.event === event),
    broken: list.broken.filter((entry) => entry.event === event),
  };
}

interface ListFacts extends ListFilter {
  readonly trusted: boolean;
  readonly problems: readonly SettingsProblem[];
}

function listJson(list: HookList, { all, trusted, problems }: ListFacts) {
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
