import path from 'node:path';
import { eventNames, type HostDriver } from '../hostDriver.ts';

export const qwen: HostDriver = {
  name: 'qwen',
  settings: ({ home }) => ({
    [path.join(home, '.qwen/settings.json')]: {
      security: { auth: { selectedType: 'openai' } },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    },
  }),
  env: ({ url }) => ({
    OPENAI_API_KEY: 'dummy',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: 'standin',
    QWEN_TELEMETRY_ENABLED: 'false',
    QWEN_CODE_NO_RELAUNCH: 'true',
  }),
  args: ({ prompt, resume }) => [
    ...['-o', 'stream-json', '--approval-mode', 'yolo', '--auth-type', 'openai', '-m', 'standin'],
    ...(resume ? ['--resume', resume] : []),
    ...['-p', prompt],
  ],
  allowed: ['--approval-mode', 'yolo', '--auth-type', 'openai', '-m', 'standin'],
  // after a turn it extracts memories, with all of its tools
  isSide: ({ tools = [], messages: [first] = [] }) =>
    tools.length < 3 || /memory extraction subagent/.test(String(first?.content).slice(0, 200)),
  shell: (command) => ({
    name: 'run_shell_command',
    input: { command, description: 'a test', is_background: false },
  }),
  write: (file, content) => ({ name: 'write_file', input: { file_path: file, content } }),
  events: {
    sessionStart: 'SessionStart',
    prompt: 'UserPromptSubmit',
    beforeTool: 'PreToolUse',
    afterTool: 'PostToolUse',
    toolFailure: 'PostToolUseFailure',
    stop: 'Stop',
    failure: 'StopFailure',
    sessionEnd: 'SessionEnd',
  },
  hooks: ({ home }, command) => {
    const groups = eventNames(qwen).map(([event, name]) => [
      name,
      [{ hooks: [{ type: 'command', name: event, command: command(event) }] }],
    ]);
    return { [path.join(home, '.qwen/settings.json')]: { hooks: Object.fromEntries(groups) } };
  },
  sessionId: (lines) => lines.find(({ type }) => type === 'system')?.session_id,
};
