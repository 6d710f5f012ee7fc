import { demandByStart } from '../demand.ts';
import type { Host } from '../host.ts';
import { hasFields } from '../payloadFields.ts';
import { speakPortably } from '../speech.ts';

export const qwen: Host = {
  name: 'qwen',
  recognizes: (payload) => hasFields(payload, 'crons') || hasFields(payload, 'context_usage'),
  speak: speakPortably,
  demand: demandByStart,
};
