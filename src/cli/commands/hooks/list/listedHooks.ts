import type { ConfiguredHooks } from '../../../../hooks/configure/configureHooks.ts';
import type { HookProblem } from '../../../../hooks/configure/finding.ts';
import type { ConfiguredHook } from '../../../../hooks/configuredHook.ts';
import { eventFacts } from '../../../../hooks/events/eventTable.ts';
import { selectHooks } from '../../../../hooks/select.ts';
import type { HookSource } from '../../../../session/settings/types.ts';
import { type BrokenEntry, brokenEntries, describeProblem, entryOf } from './brokenEntries.ts';

type HookState = { readonly type: 'runs' } | { readonly type: 'skipped'; readonly reason: string };

export interface ListedHook {
  readonly hook: ConfiguredHook;
  readonly state: HookState;
  /** Parts of its entry that have no effect. */
  readonly notes: readonly string[];
}

export interface HookList {
  readonly hooks: readonly ListedHook[];
  readonly broken: readonly BrokenEntry[];
}

export interface HookCounts {
  readonly total: number;
  readonly run: number;
  readonly skipped: number;
  readonly broken: number;
}

/** All hooks in the settings: each with whether it can run, and each broken entry with its problems. */
export function listHooks({ hooks, skipped, problems }: ConfiguredHooks, layers: readonly HookSource[]): HookList {
  const states: readonly [ConfiguredHook, HookState][] = [
    ...hooks.map((hook): [ConfiguredHook, HookState] => [hook, stateOf(hook)]),
    ...skipped.map(({ hook, reason }): [ConfiguredHook, HookState] => [hook, { type: 'skipped', reason }]),
  ];
  const noted = problems.filter(({ effect }) => effect === 'noted');
  return {
    hooks: states.map(([hook, state]) => ({
      hook,
      state,
      notes: noted
        .filter(({ file, path }) => file === hook.file && isAt(hook.path, entryOf(path)))
        .filter(({ path, message }) => state.type === 'runs' || !repeats(state.reason, hook.path, { path, message }))
        .map((problem) => describeNote(problem, hook.path)),
    })),
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
function repeats(reason: string, hookPath: string, note: { path: string; message: string }): boolean {
  return note.message === reason || (note.path === `${hookPath}.if` && reason.startsWith('`if`'));
}

/** Also finds hooks that nothing forbids and that still never run. */
function stateOf(hook: ConfiguredHook): HookState {
  const row = eventFacts(hook.event);
  if (!row.fired) return { type: 'skipped', reason: `this agent does not fire ${row.name}` };
  const { matcher: _matcher, agent: _agent, ...always } = hook;
  const [selected] = selectHooks([always], {
    row,
    input: {},
    matchesRule: () => 'unclear',
    lastText: () => undefined,
    spent: () => false,
    canRun: () => true,
  });
  return selected?.matched === false ? { type: 'skipped', reason: selected.why } : { type: 'runs' };
}

export function countHooks({ hooks, broken }: HookList): HookCounts {
  const run = hooks.filter(({ state }) => state.type === 'runs').length;
  return { total: hooks.length + broken.length, run, skipped: hooks.length - run, broken: broken.length };
}

export function countText({ total, run, skipped, broken }: HookCounts): string {
  return `${total} ${total === 1 ? 'hook' : 'hooks'}: ${run} run, ${skipped} skipped, ${broken} broken.`;
}
