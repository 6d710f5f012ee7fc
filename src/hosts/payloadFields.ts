import type { Payload } from '../stop/payload.ts';

export const hasFields = (payload: Payload, ...names: readonly string[]): boolean =>
  names.every((name) => payload[name] !== undefined);
