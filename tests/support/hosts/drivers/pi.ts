import path from 'node:path';
import { eventNames, type HostDriver } from '../hostDriver.ts';

/** What an extension knows, as a hook of other agents would get it. */
const extension = (handlers: string) => `import { spawnSync } from 'node:child_process';

export default function (pi) {
  const report = (command) => (event, ctx) => {
    const { cwd, mode, sessionManager } = ctx;
    const session = { sessionId: sessionManager.getSessionId(), sessionFile: sessionManager.getSessionFile() };
    // the whole prompt and the whole conversation
    const { context, systemPrompt, systemPromptOptions, ...small } = event;
    spawnSync('sh', ['-c', command], { input: JSON.stringify({ ...session, cwd, mode, event: small }) });
  };
${handlers}
}
`;

export const pi: HostDriver = {
  name: 'pi',
  settings: ({ home, url }) => ({
    [path.join(home, '.pi/agent/models.json')]: {
      providers: {
        standin: {
          baseUrl: `${url}/v1`,
          apiKey: 'dummy',
          api: 'openai-completions',
          models: [{ id: 'standin', contextWindow: 200_000, maxTokens: 8_000 }],
        },
      },
    },
    [path.join(home, '.pi/agent/settings.json')]: {
      enableInstallTelemetry: false,
      retry: { maxRetries: 1, baseDelayMs: 100 },
    },
  }),
  env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }),
  args: ({ prompt, resume }) => [
    ...['--mode', 'json', '--provider', 'standin', '--model', 'standin'],
    ...(resume ? ['--session', resume] : []),
    prompt,
  ],
  // it asks for no permissions; its settings name no model
  allowed: ['--provider', 'standin', '--model', 'standin'],
  isSide: ({ tools = [] }) => tools.length < 3,
  shell: (command) => ({ name: 'bash', input: { command } }),
  write: (file, content) => ({ name: 'write', input: { path: file, content } }),
  events: {
    sessionStart: 'session_start',
    prompt: 'before_agent_start',
    beforeTool: 'tool_call',
    afterTool: 'tool_result',
    stop: 'agent_before_settle',
    sessionEnd: 'session_shutdown',
  },
  hooks: ({ home }, command) => {
    const handlers = eventNames(pi).map(
      ([event, name]) => `  pi.on('${name}', report(${JSON.stringify(command(event))}));`,
    );
    return { [path.join(home, '.pi/agent/extensions/recorder.js')]: extension(handlers.join('\n')) };
  },
  sessionId: (lines) => lines.find(({ type }) => type === 'session')?.id,
};
