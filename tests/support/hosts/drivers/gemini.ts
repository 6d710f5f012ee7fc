import path from 'node:path';
import { eventNames, type HostDriver } from '../hostDriver.ts';

export const gemini: HostDriver = {
  name: 'gemini',
  settings: ({ home }) => ({
    [path.join(home, '.gemini/settings.json')]: {
      security: { auth: { selectedType: 'gemini-api-key' } },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 1 },
      model: { disableLoopDetection: true },
    },
  }),
  env: ({ url }) => ({
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_TELEMETRY_ENABLED: 'false',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  // a named model, or it asks another which to use
  args: ({ prompt, resume }) => [
    ...['-m', 'gemini-2.5-flash', '-o', 'stream-json', '--approval-mode', 'yolo'],
    ...(resume ? ['--resume', resume] : []),
    ...['-p', prompt],
  ],
  allowed: ['--approval-mode', 'yolo', '-m', 'gemini-2.5-flash'],
  isSide: (_body, url) => !url.includes(':streamGenerateContent'),
  sideText: '{"next_speaker":"user","reasoning":"done"}',
  shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'a test' } }),
  write: (file, content) => ({ name: 'write_file', input: { file_path: file, content } }),
  events: {
    sessionStart: 'SessionStart',
    prompt: 'BeforeAgent',
    beforeTool: 'BeforeTool',
    afterTool: 'AfterTool',
    stop: 'AfterAgent',
    sessionEnd: 'SessionEnd',
  },
  hooks: ({ home }, command) => {
    const groups = eventNames(gemini).map(([event, name]) => [
      name,
      [{ hooks: [{ type: 'command', name: event, command: command(event) }] }],
    ]);
    return { [path.join(home, '.gemini/settings.json')]: { hooks: Object.fromEntries(groups) } };
  },
  sessionId: (lines) => lines.find(({ type }) => type === 'init')?.session_id,
};
