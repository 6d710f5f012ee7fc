import path from 'node:path';
import { eventNames, type HostDriver } from '../hostDriver.ts';
import { cacheFolder } from '../installHost.ts';

const ARGS = [
  ...['--output-format', 'json', '--allow-all-tools', '--allow-all-paths', '--disable-builtin-mcps'],
  '--no-auto-update',
];

export const copilot: HostDriver = {
  name: 'copilot',
  settings: () => ({}),
  env: ({ home, url }) => ({
    COPILOT_HOME: path.join(home, '.copilot'),
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_MODEL: 'standin',
    COPILOT_AUTO_UPDATE: 'false',
    // it unpacks itself there at its first start, which takes seconds
    XDG_CACHE_HOME: path.join(cacheFolder(), 'copilot-cache'),
    // trusts the folder too; the flag for that cannot be given together with --resume
    COPILOT_ALLOW_ALL: 'true',
  }),
  args: ({ prompt, resume }) => [...ARGS, ...(resume ? [`--resume=${resume}`] : []), '-p', prompt],
  allowed: ARGS.slice(2),
  isSide: ({ tools = [] }) => tools.length < 3,
  shell: (command) => ({ name: 'bash', input: { command, description: 'a test' } }),
  // a shell's exit code is no failure to it
  failing: { name: 'view', input: { path: '/no/such/file' } },
  write: (file, text) => ({ name: 'create', input: { path: file, file_text: text } }),
  // spelled like this, its payloads are like those of Claude Code; in camel case they are not
  events: {
    sessionStart: 'SessionStart',
    prompt: 'UserPromptSubmit',
    beforeTool: 'PreToolUse',
    afterTool: 'PostToolUse',
    toolFailure: 'PostToolUseFailure',
    stop: 'Stop',
    failure: 'ErrorOccurred',
    sessionEnd: 'SessionEnd',
  },
  hooks: ({ home }, command) => {
    const handlers = eventNames(copilot).map(([event, name]) => [name, [{ type: 'command', bash: command(event) }]]);
    const file = path.join(home, '.copilot/hooks/recorder.json');
    return { [file]: { version: 1, hooks: Object.fromEntries(handlers) } };
  },
  sessionId: (lines) => lines.findLast(({ sessionId }) => sessionId)?.sessionId,
};
