import { demandByStart } from '../demand.ts';
import type { Host } from '../host.ts';
import { hasFields } from '../payloadFields.ts';
import { speakPortably } from '../speech.ts';

export const cursor: Host = {
  name: 'cursor',
  recognizes: (payload) => hasFields(payload, 'cursor_version'),
  speak: speakPortably,
  demand: demandByStart,
};
