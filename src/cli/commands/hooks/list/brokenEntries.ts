import type { HookProblem } from '../../../../hooks/configure/finding.ts';
import { findEvent } from '../../../../hooks/events/eventTable.ts';
import type { HookEventName } from '../../../../hooks/types.ts';
import { parseJsonPath } from '../../../../schemas/json.ts';
import type { HookSource } from '../../../../session/settings/types.ts';

/** An entry that cannot run because of mistakes in it. */
export interface BrokenEntry {
  /** Absent when the entry names no known event. */
  readonly event?: HookEventName;
  readonly file: string;
  readonly line?: number;
  readonly path: string;
  /** One clause per mistake, with its place in the entry. */
  readonly problems: readonly string[];
}

/** Entries with problems that keep them from running, each listed once. */
export function brokenEntries(problems: readonly HookProblem[], layers: readonly HookSource[]): readonly BrokenEntry[] {
  const disabled = problems.filter(({ effect }) => effect === 'disabled');
  const byEntry = Map.groupBy(disabled, ({ file, path }) => `${file} ${entryOf(path)}`);
  return [...byEntry.values()].map((found) => {
    const [{ file, line, path }] = found as [HookProblem];
    const event = eventOf(file, path, layers);
    return {
      ...(event === undefined ? {} : { event }),
      file,
      ...(line === undefined ? {} : { line }),
      path: entryOf(path),
      problems: found.map((problem) => `${problem.path}: ${describeProblem(problem)}`),
    };
  });
}

export function describeProblem({ message, nearest }: Pick<HookProblem, 'message' | 'nearest'>): string {
  return `${message}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
}

/** The entry that a path is in: `hooks.Stop[0].hooks[1]` for `hooks.Stop[0].hooks[1].timeout`. */
export function entryOf(path: string): string {
  return /^hooks(?:\.[\w-]+|\["(?:[^"\\]|\\.)*"\])?(?:\[\d+\])?(?:\.hooks\[\d+\])?/.exec(path)?.[0] ?? path;
}

/** The event is in the path, or, where `hooks` is a list, in the entry itself. */
function eventOf(file: string, path: string, layers: readonly HookSource[]): HookEventName | undefined {
  const [, step] = parseJsonPath(path);
  if (typeof step === 'string') return findEvent(step)?.name;
  const layer = layers.find((one) => one.file === file)?.hooks;
  const entry: unknown = Array.isArray(layer) && step !== undefined ? layer[step] : undefined;
  const named = typeof entry === 'object' && entry !== null && 'event' in entry ? entry.event : undefined;
  return typeof named === 'string' ? findEvent(named)?.name : undefined;
}
