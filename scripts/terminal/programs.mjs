import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { QUIET_CLAUDE } from '../../tests/support/claudeCode.ts';

const BIN = path.join(import.meta.dirname, '../../bin/stopgate.js');

// The two programs that are compared: how each is started, and what it shows when it is ready for a prompt.

export const stopgate = {
  key: 'stopgate',
  ready: /session\s+[0-9a-f]{8}-/,
  command: (args) => [process.execPath, BIN, '--trust-project', ...args],
  env: { STOPGATE_ENABLE_PROMPT_SUGGESTION: '0', STOPGATE_DISABLE_MEMORY: '1' },
  prepare: () => {},
};

export const claudeCode = (program) => ({
  key: 'claudeCode',
  ready: 'for shortcuts',
  command: (args) => [program, '--model', 'sonnet', '--permission-mode', 'default', ...args],
  env: QUIET_CLAUDE,
  /** Its questions of the first start are answered. */
  prepare: ({ home, project }) => {
    const state = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: ['dummy'], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    };
    writeFileSync(path.join(home, '.claude.json'), JSON.stringify(state));
  },
});
