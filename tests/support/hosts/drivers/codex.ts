import path from 'node:path';
import { eventNames, type HostDriver } from '../hostDriver.ts';

const config = (url: string) => `model = "standin"
model_provider = "standin"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[feedback]
enabled = false
[otel]
exporter = "none"
[features]
plugins = false
[model_providers.standin]
name = "standin"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 1
stream_max_retries = 1
`;

const ARGS = ['--json', '--skip-git-repo-check'];

export const codex: HostDriver = {
  name: 'codex',
  settings: ({ home, url }) => ({ [path.join(home, '.codex/config.toml')]: config(url) }),
  env: ({ home }) => ({ CODEX_HOME: path.join(home, '.codex'), OPENAI_API_KEY: 'dummy' }),
  args: ({ prompt, resume, trusted }) => [
    'exec',
    ...(resume ? ['resume', resume] : []),
    ...ARGS,
    ...(trusted ? [] : ['--dangerously-bypass-hook-trust']),
    prompt,
  ],
  // its settings allow everything
  allowed: ['--skip-git-repo-check'],
  isSide: () => false,
  shell: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  // a patch goes through the shell tool, where it is intercepted
  write: (file, text) => ({ name: 'exec_command', input: { cmd: `apply_patch <<'EOF'\n${patch(file, text)}\nEOF` } }),
  events: {
    sessionStart: 'SessionStart',
    prompt: 'UserPromptSubmit',
    beforeTool: 'PreToolUse',
    afterTool: 'PostToolUse',
    stop: 'Stop',
    sessionEnd: 'SessionEnd',
  },
  hooks: ({ home }, command) => {
    const groups = eventNames(codex).map(([event, name]) => [
      name,
      [{ hooks: [{ type: 'command', command: command(event) }] }],
    ]);
    return { [path.join(home, '.codex/hooks.json')]: { hooks: Object.fromEntries(groups) } };
  },
  sessionId: (lines) => lines.find(({ type }) => type === 'thread.started')?.thread_id,
};

function patch(file: string, text: string): string {
  const added = text.replace(/\n$/, '').split('\n');
  return ['*** Begin Patch', `*** Add File: ${file}`, ...added.map((line) => `+${line}`), '*** End Patch'].join('\n');
}
