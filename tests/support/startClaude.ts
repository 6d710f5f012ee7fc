import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { QUIET_CLAUDE } from './claudeCode.ts';
import type { TestProject } from './project.ts';

export interface RunningClaude {
  /** Sends a prompt and waits for the end of its turn. */
  prompt(text: string): Promise<void>;
  /** As a person would with Escape. */
  interrupt(): void;
  end(): Promise<void>;
}

/** The real Claude Code with its prompts on a pipe, one after the other in one session. */
export function startClaude(wish: {
  readonly program: string;
  readonly project: TestProject;
  readonly env?: Readonly<Record<string, string>>;
}): RunningClaude {
  const { program, project } = wish;
  const format = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const child = spawn(program, ['-p', ...format, '--allowedTools=Bash,Read'], {
    cwd: project.dir,
    env: {
      PATH: process.env.PATH,
      HOME: project.home,
      ANTHROPIC_API_KEY: 'dummy',
      ANTHROPIC_BASE_URL: project.server.url,
      ...QUIET_CLAUDE,
      ...wish.env,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting: (() => void)[] = [];
  let text = '';
  child.stdout.on('data', (chunk) => {
    const lines = `${text}${chunk}`.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) if (line.includes('"type":"result"')) waiting.shift()?.();
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  return {
    prompt: (content) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      send({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' });
      return promise;
    },
    interrupt: () => void send({ type: 'control_request', request_id: '1', request: { subtype: 'interrupt' } }),
    end: async () => {
      const closed = once(child, 'close');
      child.stdin.end();
      await closed;
    },
  };
}
