import type { ChildProcess } from 'node:child_process';
import type { ChildListener, ChildSpec, ChildStarter, StartedChild } from './childStarter.ts';
import { DrainedPipe, drain } from './drainedPipe.ts';

/** Children of this very process. Simple, and slow once it is large: a fork copies its page tables. */
export const plainStarter: ChildStarter = {
  start(spec, listener) {
    const child = startChild(spec);
    if (child instanceof Error) {
      listener.ended({ type: 'notStarted', error: child });
      return { letGo: async () => {}, doubt: () => {} };
    }
    return follow(child, spec, listener);
  },
};

function startChild(spec: ChildSpec): ChildProcess | NodeJS.ErrnoException {
  try {
    return process.getBuiltinModule('node:child_process').spawn(spec.file, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.env },
      detached: true,
      stdio: [spec.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    // some failures (an argument that is too long) are thrown, others are events
    return error instanceof Error ? error : new Error(String(error));
  }
}

function follow(child: ChildProcess, { input }: ChildSpec, listener: ChildListener): StartedChild {
  if (child.pid !== undefined) listener.started(child.pid);
  const streams = ['stdout', 'stderr'] as const;
  const pipes = streams.flatMap((name) => {
    const pipe = child[name];
    return pipe ? [new DrainedPipe(pipe, (chunk) => listener.output(name, chunk))] : [];
  });
  child.once('error', (error) => listener.ended({ type: 'notStarted', error }));
  child.once('exit', (code, signal) => listener.ended({ type: 'gone', code, signal, mayHaveLeftOthers: true }));
  // closing a pipe that nobody read is the child's right
  child.stdin?.on('error', () => {});
  if (typeof input !== 'object') child.stdin?.end(input);
  else if (child.stdin) input.on('error', () => child.stdin?.end()).pipe(child.stdin);
  return {
    async letGo() {
      await drain(pipes);
      for (const pipe of pipes) pipe.close();
      child.stdin?.destroy();
      if (typeof input === 'object') input.destroy();
    },
    // it is this process that watches
    doubt: () => {},
  };
}
