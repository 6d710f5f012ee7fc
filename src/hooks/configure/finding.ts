import type * as z from 'zod';
import type { JsonPath } from '../../schemas/json.ts';
import { nearestName } from '../../system/nearestName.ts';
import type { ConfiguredHook } from '../configuredHook.ts';
import type { EventRow } from '../events/eventRow.ts';
import type { KindFacts } from '../kind.ts';

/** The place of a value, and what it is read as. */
export interface Place {
  readonly row: EventRow;
  readonly kinds: ReadonlyMap<string, KindFacts>;
  readonly path: JsonPath;
}

/** A hook or a problem, without its file. */
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

const problem =
  (effect: HookProblem['effect']) =>
  (path: JsonPath, message: string, nearest?: string): Extract<Finding, { type: 'problem' }> => ({
    type: 'problem',
    path,
    problem: { message, effect, ...(nearest !== undefined && { nearest }) },
  });

/** The entry does not run. */
export const broken = problem('disabled');
/** The entry runs, or would, and something in it has no effect. */
export const noted = problem('noted');

/** What a schema found, each issue at its own place. */
export function invalid(path: JsonPath, error: z.ZodError): readonly Finding[] {
  return error.issues.map((issue) =>
    broken([...path, ...issue.path.filter((step) => typeof step !== 'symbol')], issue.message),
  );
}

/** An unknown field is reported, but the entry runs, as in Claude Code: a misspelled `timeout` must not disable a gate. */
export function unknownField(path: JsonPath, known: readonly string[]): Finding {
  const name = String(path.at(-1));
  return noted(path, `"${name}" is not a known field and has no effect`, nearestName(name, known));
}

/** Something in a settings file that a person should check. */
export interface HookProblem {
  readonly file: string;
  /** `hooks.Stop[0].hooks[1].timeout`. */
  readonly path: string;
  readonly line?: number;
  readonly message: string;
  /** The known name that was probably meant. */
  readonly nearest?: string;
  /** `disabled`: the entry does not run. `noted`: it runs, or would, and something in it has no effect. */
  readonly effect: 'disabled' | 'noted';
}

/** One sentence: where, what, what to do. */
export function problemText({ file, path, line, message, nearest, effect }: HookProblem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
  return `${place}: ${path}: ${message}${hint}${effect === 'disabled' ? ' (this entry does not run)' : ''}`;
}
