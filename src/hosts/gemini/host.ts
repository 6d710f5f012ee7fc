import { demandByStart } from '../demand.ts';
import type { Host } from '../host.ts';
import { hasFields } from '../payloadFields.ts';
import { speakPortably } from '../speech.ts';

export const gemini: Host = {
  name: 'gemini',
  recognizes: (payload) => hasFields(payload, 'prompt_response') || String(payload.hook_event_name).startsWith('After'),
  speak: speakPortably,
  demand: demandByStart,
};
