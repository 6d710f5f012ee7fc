import { attempt } from '../system/attempt.ts';

/** The value of a JSON text; undefined when it is not JSON, such as a line that a crash cut short. */
export const jsonValue = (text: string): unknown => attempt<unknown>(() => JSON.parse(text), undefined);

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a value has at a path of its own fields; undefined where that leads nowhere. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  const isIn = (inner: unknown, step: PropertyKey): inner is object =>
    typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step);
  return path.reduce((inner, step) => (isIn(inner, step) ? Reflect.get(inner, step) : undefined), value);
}
