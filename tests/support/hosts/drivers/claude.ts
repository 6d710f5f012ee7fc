import path from 'node:path';
import { QUIET_CLAUDE } from '../../claudeCode.ts';
import { eventNames, type HostDriver } from '../hostDriver.ts';

export const claude: HostDriver = {
  name: 'claude',
  settings: () => ({}),
  env: ({ url }) => ({
    ANTHROPIC_API_KEY: 'dummy',
    ANTHROPIC_BASE_URL: url,
    CLAUDE_CODE_MAX_RETRIES: '1',
    ...QUIET_CLAUDE,
  }),
  args: ({ prompt, resume }) => [
    ...['-p', prompt, '--output-format', 'stream-json', '--verbose', '--allowedTools=Bash,Read,Write,Edit'],
    ...(resume ? ['--resume', resume] : []),
  ],
  isSide: ({ tools = [] }) => tools.length < 3,
  shell: (command) => ({ name: 'Bash', input: { command, description: 'a test' } }),
  write: (file, content) => ({ name: 'Write', input: { file_path: file, content } }),
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
    const groups = eventNames(claude).map(([event, name]) => [
      name,
      [{ hooks: [{ type: 'command', command: command(event) }] }],
    ]);
    return { [path.join(home, '.claude/settings.json')]: { hooks: Object.fromEntries(groups) } };
  },
  sessionId: (lines) => lines.find(({ session_id }) => session_id)?.session_id,
};
