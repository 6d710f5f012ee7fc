import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';

const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;
const TAIL = 200_000;

/**
 * A command on a pseudo-terminal of its own. What it prints is searched as it arrives and not interpreted: an emulator in
 * this process would take the time that is measured.
 */
export function openTerminal(
  command,
  { place, url = 'http://127.0.0.1:9', columns = 100, rows = 30, onText = () => {} },
) {
  const pidFile = path.join(place.home, 'pid');
  mkdirSync(place.home, { recursive: true });
  const line = `echo $$ > ${quoted(pidFile)}; stty cols ${columns} rows ${rows}; exec ${command.map(quoted).join(' ')}`;
  const startedAt = performance.now();
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd: place.project,
    env: {
      PATH: process.env.PATH,
      HOME: place.home,
      TERM: 'xterm-256color',
      SHELL: '/bin/sh',
      ANTHROPIC_API_KEY: 'dummy',
      ANTHROPIC_BASE_URL: url,
      STOPGATE_DISABLE_MEMORY: '1',
      STOPGATE_ENABLE_PROMPT_SUGGESTION: '0',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let tail = '';
  let bytes = 0;
  let pid;
  const watchers = new Set();
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('latin1');
  child.stdout.on('data', (chunk) => {
    bytes += chunk.length;
    tail = (tail + chunk).slice(-TAIL);
    onText(chunk);
    for (const watcher of watchers) watcher();
  });
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, at: performance.now() }));
  });
  const printed = (text) => {
    const wanted = Buffer.from(text).toString('latin1');
    let end = '';
    return new Promise((resolve) => {
      child.stdout.on('data', function look(chunk) {
        end += chunk;
        if (end.includes(wanted)) {
          child.stdout.off('data', look);
          resolve();
        }
        end = end.slice(-wanted.length);
      });
    });
  };
  const seen = (text, limitMs = 30_000) => {
    const wanted = Buffer.from(text).toString('latin1');
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!tail.includes(wanted)) return;
        watchers.delete(look);
        clearTimeout(late);
        resolve(performance.now());
      };
      const late = setTimeout(() => {
        watchers.delete(look);
        reject(new Error(`${JSON.stringify(text)} did not appear within ${limitMs / 1000} s: …${tail.slice(-400)}`));
      }, limitMs);
      watchers.add(look);
      look();
    });
  };
  return {
    startedAt,
    ended,
    seen,
    /** Resolves when the text is printed from now on, whatever is forgotten meanwhile. */
    printed,
    /** What was printed before does not count for `seen`. */
    forget: () => {
      tail = '';
    },
    type: (text) => child.stdin.write(text),
    bytes: () => bytes,
    /** Processor time of the command's main thread so far, which the load of the machine does not change. Linux only. */
    processorMs: () => {
      pid ??= Number(readFileSync(pidFile, 'utf8'));
      return processorMsOf(pid);
    },
    /** Of the command itself. Linux only. */
    memoryMb: () => memoryOf(Number(readFileSync(pidFile, 'utf8'))),
    // not `script`: without it the command gets a SIGHUP, and at that it still writes into the home that is removed next
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && !kill(pidFile)) child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Whether there was a command to end; `script` ends after it. */
function kill(pidFile) {
  try {
    return process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
  } catch {
    return false;
  }
}

function processorMsOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, now] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
    return { now: Number(now) / 1024, peak: Number(peak) / 1024 };
  } catch {
    return undefined;
  }
}
