import type { Payload } from '../stop/payload.ts';

export const hasFields = (payload: Payload, ...names: readonly string[]): boolean =>
  names.every((name) => payload[name] !== undefined);

export const eventOf = ({ hook_event_name: name }: Payload): string => (typeof name === 'string' ? name : '');
