import { HOOKS_ONLY, hasFields, runsProgram } from '../hooksOnly.ts';
import type { Host } from '../host.ts';

export const cursor: Host = {
  ...HOOKS_ONLY,
  name: 'cursor',
  title: 'Cursor',
  agentVariables: ['CURSOR_AGENT'],
  settingsFiles: ['.cursor/hooks.json'],
  isProcess: runsProgram('cursor-agent'),
  recognizes: (payload) => hasFields(payload, 'cursor_version'),
};
