import type { ConfiguredHooks } from '../../../../hooks/configure/configureHooks.ts';
import type { HookProblem } from '../../../../hooks/configure/finding.ts';
import type { ConfiguredHook } from '../../../../hooks/configuredHook.ts';
import { eventFacts } from '../../../../hooks/events/eventTable.ts';
import { selectHooks } from '../../../../hooks/select.ts';
import type { HookSource } from '../../../../session/settings/types.ts';
import { type BrokenEntry, brokenEntries, describeProblem, entryOf } from './brokenEntries.ts';

export interface ListedHook {
  readonly hook: ConfiguredHook;
  /** Null when it runs. */
  readonly whyNot: string | null;
  /** Parts of its entry that have no effect. */
  readonly notes: readonly string[];
}

export interface HookList {
  readonly hooks: readonly ListedHook[];
  readonly broken: readonly BrokenEntry[];
}

/** All hooks in the settings: each with whether it can run, and each broken entry with its problems. */
export function listHooks({ hooks, skipped, problems }: ConfiguredHooks, layers: readonly HookSource[]): HookList {
  const noted = problems.filter(({ effect }) => effect === 'noted');
  const listed = (hook: ConfiguredHook, whyNot: string | null): ListedHook => ({
    hook,
    whyNot,
    notes: noted
      .filter(({ file, path }) => file === hook.file && isAt(hook.path, entryOf(path)))
      .filter((note) => whyNot === null || !repeats(whyNot, hook.path, note))
      .map((problem) => describeNote(problem, hook.path)),
  });
  return {
    hooks: [
      ...hooks.map((hook) => listed(hook, whyNeverRun(hook))),
      ...skipped.map(({ hook, reason }) => listed(hook, reason)),
    ],
    broken: brokenEntries(problems, layers),
  };
}

const isAt = (path: string, entry: string) => path === entry || path.startsWith(`${entry}.`);

function describeNote(problem: HookProblem, hookPath: string): string {
  const field = problem.path.startsWith(`${hookPath}.`) ? problem.path.slice(hookPath.length + 1) : '';
  const named = field === '' || problem.message.includes(`"${field}"`);
  return `${named ? '' : `${field}: `}${describeProblem(problem)}`;
}

/** A note that repeats the reason why the hook is skipped. */
function repeats(reason: string, hookPath: string, note: HookProblem): boolean {
  return note.message === reason || (note.path === `${hookPath}.if` && reason.startsWith('`if`'));
}

/** Finds hooks that nothing forbids and that still never run; null for others. */
function whyNeverRun(hook: ConfiguredHook): string | null {
  const row = eventFacts(hook.event);
  if (!row.fired) return `this agent does not fire ${row.name}`;
  const { matcher: _matcher, agent: _agent, ...always } = hook;
  const [selected] = selectHooks([always], {
    row,
    input: {},
    matchesRule: () => 'unclear',
    lastText: () => undefined,
    spent: () => false,
    canRun: () => true,
  });
  return selected?.matched === false ? selected.why : null;
}

export function countHooks({ hooks, broken }: HookList) {
  const run = hooks.filter(({ whyNot }) => whyNot === null).length;
  return { total: hooks.length + broken.length, run, skipped: hooks.length - run, broken: broken.length };
}

export function countText({ total, run, skipped, broken }: ReturnType<typeof countHooks>): string {
  return `${total} ${total === 1 ? 'hook' : 'hooks'}: ${run} run, ${skipped} skipped, ${broken} broken.`;
}
