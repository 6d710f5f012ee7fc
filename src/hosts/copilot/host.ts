import { demandByStart } from '../demand.ts';
import type { Host } from '../host.ts';
import { hasFields } from '../payloadFields.ts';
import { speakContextAtTop } from '../speech.ts';

export const copilot: Host = {
  name: 'copilot',
  recognizes: (payload) =>
    hasFields(payload, 'timestamp') && (hasFields(payload, 'stop_reason') || hasFields(payload, 'sessionId')),
  speak: speakContextAtTop,
  demand: demandByStart,
};
