import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Clock } from '../system/clock.ts';
import { folderOrItsPlace } from '../system/currentFolder.ts';
import { markedProcesses, signalProcess } from '../system/markedProcesses.ts';
import { MARKS } from '../system/marks.ts';
import { ownProgram } from '../system/ownPath.ts';
import type { ProcessEnd, ProcessRunner, ProcessSpec } from '../system/processes.ts';
import { whyNotStarted } from '../system/whyNotStarted.ts';

const DEFAULT_GRACE_MS = 2_000;

/**
 * Runs an agent in the foreground of this terminal and in our process group, so that Ctrl-C, Ctrl-Z and a closed window reach
 * it directly. To signal it without us, its processes are found by the launch's mark in their environment.
 */
export function terminalProcesses(clock: Clock): Pick<ProcessRunner, 'start'> {
  return {
    start(spec) {
      const child = spawn(spec.file, [...spec.args], { cwd: spec.cwd, env: { ...spec.env }, stdio: 'inherit' });
      return { pid: child.pid, ended: watch(child, spec, clock) };
    },
  };
}

/** Signals the agent and all processes it started; without /proc only the agent. */
export function signalMarked(spec: Pick<ProcessSpec, 'env'>, pid: number | undefined, signal: NodeJS.Signals): void {
  const id = spec.env[MARKS.launch];
  const marked = id === undefined ? [] : markedProcesses(MARKS.launch, id);
  for (const each of new Set([...marked, ...(pid === undefined ? [] : [pid])])) signalProcess(each, signal);
}

async function watch(child: ReturnType<typeof spawn>, spec: ProcessSpec, clock: Clock): Promise<ProcessEnd> {
  const startedAt = clock.now();
  const gone = new AbortController();
  const abort = async () => {
    signalMarked(spec, child.pid, 'SIGTERM');
    await clock.sleep(spec.graceMs ?? DEFAULT_GRACE_MS, gone.signal);
    if (!gone.signal.aborted) signalMarked(spec, child.pid, 'SIGKILL');
  };
  spec.signal?.addEventListener('abort', () => void abort(), { once: true, signal: gone.signal });
  try {
    const [code, signal] = await once(child, 'exit');
    const output = { stdout: '', stderr: '', droppedBytes: 0, durationMs: clock.now() - startedAt };
    if (spec.signal?.aborted) return { type: 'aborted', ...output };
    return signal === null ? { type: 'exited', code, ...output } : { type: 'signalled', signal, ...output };
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    return { type: 'notStarted', error: whyNotStarted(failure, spec), code: failure.code };
  } finally {
    gone.abort();
  }
}

/** Leaves the alternate screen, shows the cursor, ends colors, mouse reports, bracketed paste and keyboard modes. */
const PLAIN_SCREEN =
  '\u001b[?1049l\u001b[?25h\u001b[0m\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[?2004l\u001b[<u\r\n';

/** Remembers the terminal's settings; a killed agent cannot restore them. */
export function rememberTerminal(): { restore(): void } {
  const env = { PATH: process.env.PATH };
  const stty = ownProgram('stty', process.env.PATH, folderOrItsPlace(process.env));
  const { stdout, status } = spawnSync(stty, ['-g'], { env, stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8' });
  return {
    restore() {
      process.stdout.write(PLAIN_SCREEN);
      if (status === 0) spawnSync(stty, [stdout.trim()], { env, stdio: ['inherit', 'ignore', 'ignore'] });
    },
  };
}
