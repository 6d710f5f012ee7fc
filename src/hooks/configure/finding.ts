import type * as z from 'zod';
import type { JsonPath } from '../../schemas/json.ts';
import { nearestName } from '../../system/nearestName.ts';
import type { ConfiguredHook } from '../configuredHook.ts';
import type { EventRow } from '../events/eventRow.ts';
import type { KindFacts } from '../kind.ts';
import type { HookProblem } from './hookProblem.ts';

/** Where a value stands and what it is read as. */
export interface Place {
  readonly row: EventRow;
  readonly kinds: ReadonlyMap<string, KindFacts>;
  readonly path: JsonPath;
}

/** A hook or a problem, before it is known in which file it stands. */
export type Finding =
  | {
      readonly type: 'hook';
      readonly path: JsonPath;
      readonly hook: Omit<ConfiguredHook, 'source' | 'file' | 'path' | 'line' | 'agent' | 'plugin'>;
    }
  | {
      readonly type: 'problem';
      readonly path: JsonPath;
      readonly problem: Pick<HookProblem, 'message' | 'nearest' | 'effect'>;
    };

/** The entry does not run. */
export function broken(path: JsonPath, message: string, nearest?: string): Finding {
  return { type: 'problem', path, problem: { message, effect: 'disabled', ...(nearest !== undefined && { nearest }) } };
}

/** What a schema found, each issue at its own place. */
export function invalid(path: JsonPath, error: z.ZodError): readonly Finding[] {
  return error.issues.map((issue) =>
    broken([...path, ...issue.path.filter((step) => typeof step !== 'symbol')], issue.message),
  );
}

/** The entry runs, or would, and something in it has no effect. */
export function noted(path: JsonPath, message: string, nearest?: string): Finding {
  return { type: 'problem', path, problem: { message, effect: 'noted', ...(nearest !== undefined && { nearest }) } };
}

/**
 * A field nobody knows is named, but the entry runs, as it does in Claude Code: a misspelt `timeout` must not switch a
 * gate off, and every field that could be meant makes a hook do less, not more.
 */
export function unknownField(path: JsonPath, known: readonly string[]): Finding {
  const name = String(path.at(-1));
  return noted(path, `"${name}" is not a known field and has no effect`, nearestName(name, known));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
