import { demandByStart } from '../demand.ts';
import type { Host } from '../host.ts';
import { hasFields } from '../payloadFields.ts';
import { speakPortably } from '../speech.ts';

export const codex: Host = {
  name: 'codex',
  recognizes: (payload) => hasFields(payload, 'turn_id', 'model'),
  speak: speakPortably,
  demand: demandByStart,
};
