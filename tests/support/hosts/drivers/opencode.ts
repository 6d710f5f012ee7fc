import path from 'node:path';
import { BRIEF_BUN } from '../../compiledCode.ts';
import type { HostDriver } from '../hostDriver.ts';

/** Its plugins get two kinds of calls: events by their type, and named functions around tools. */
const plugin = (
  command: (event: 'sessionStart' | 'beforeTool' | 'afterTool' | 'stop' | 'failure' | 'prompt') => string,
) =>
  `import { spawnSync } from 'node:child_process';

export const Recorder = async () => {
  const report = (command, payload) => spawnSync('sh', ['-c', command], { input: JSON.stringify(payload) });
  const commands = {
    'session.created': ${JSON.stringify(command('sessionStart'))},
    'session.idle': ${JSON.stringify(command('stop'))},
    'session.error': ${JSON.stringify(command('failure'))},
  };
  return {
    event: async ({ event }) => {
      if (commands[event.type]) report(commands[event.type], event);
    },
    'chat.message': async (input, output) => report(${JSON.stringify(command('prompt'))}, { input, output }),
    'tool.execute.before': async (input, output) => report(${JSON.stringify(command('beforeTool'))}, { input, output }),
    'tool.execute.after': async (input, output) => report(${JSON.stringify(command('afterTool'))}, { input, output }),
  };
};
`;

export const opencode: HostDriver = {
  name: 'opencode',
  settings: ({ home, url }) => ({
    [path.join(home, '.config/opencode/opencode.json')]: {
      autoupdate: false,
      share: 'disabled',
      // copies of the work tree at every step
      snapshot: false,
      model: 'standin/standin',
      small_model: 'standin/standin',
      permission: { bash: 'allow', edit: 'allow', external_directory: 'allow' },
      provider: {
        standin: {
          npm: '@ai-sdk/openai-compatible',
          name: 'standin',
          options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
          models: { standin: { name: 'standin', limit: { context: 200_000, output: 8_000 } } },
        },
      },
    },
    [path.join(home, '.config/opencode/models.json')]: '{}\n',
    // it wants its plugin package at its start and waits for a registry that does not answer
    [path.join(home, '.npmrc')]: `registry=${url}/npm/\nfetch-retries=0\nfetch-timeout=2000\n`,
  }),
  env: ({ home, url }) => ({
    npm_config_registry: `${url}/npm/`,
    npm_config_fetch_retries: '0',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    // it knows the models of all providers otherwise, and reads a megabyte of them at each start
    OPENCODE_MODELS_PATH: path.join(home, '.config/opencode/models.json'),
    // costs more than it gains in a session that is over in seconds
    BUN_JSC_useFTLJIT: '0',
    BUN_JSC_useDFGJIT: '0',
    ...BRIEF_BUN,
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER: '1',
  }),
  args: ({ prompt, resume }) => [
    ...['run', '--format', 'json', '-m', 'standin/standin'],
    ...(resume ? ['--session', resume] : []),
    prompt,
  ],
  isSide: ({ tools = [] }) => tools.length < 3,
  shell: (command) => ({ name: 'bash', input: { command, description: 'a test' } }),
  write: (file, content) => ({ name: 'write', input: { filePath: file, content } }),
  events: {
    sessionStart: 'session.created',
    prompt: 'chat.message',
    beforeTool: 'tool.execute.before',
    afterTool: 'tool.execute.after',
    stop: 'session.idle',
    failure: 'session.error',
  },
  hooks: ({ home }, command) => ({ [path.join(home, '.config/opencode/plugin/recorder.js')]: plugin(command) }),
  sessionId: (lines) => lines.find(({ sessionID }) => sessionID)?.sessionID,
};
