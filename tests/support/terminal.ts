import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach } from 'vitest';
import { COMPILED_CODE } from './compiledCode.ts';
import type { TestProject } from './project.ts';

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

export const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** A command line on a pseudo-terminal of its own; what is typed goes to it, what it shows is collected. */
export function onTerminal(project: TestProject, line: string) {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: project.home,
    TERM: 'xterm',
    ANTHROPIC_API_KEY: 'dummy',
    ANTHROPIC_BASE_URL: project.server.url,
    ...COMPILED_CODE,
  };
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: project.dir,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.push(child);
  let screen = '';
  const watchers = new Set<() => void>();
  child.stdout.on('data', (chunk) => {
    screen += chunk;
    for (const watcher of watchers) watcher();
  });
  return {
    type: (text: string) => child.stdin.write(text),
    sees: (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (screen.includes(text)) resolve();
        };
        watchers.add(look);
        look();
      }),
    ended: once(child, 'close').then(([code]) => ({ code: code as number, screen })),
  };
}
