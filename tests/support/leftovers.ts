import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Nothing may be left behind: the whole run gets a temp folder of its own, fails when a test leaves a process that works in
 * it, and names what a test left there, since a process that was killed on purpose may write once more before it is gone.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'stopgate-run-'));
  process.env.TMPDIR = folder;
  process.env.NODE_COMPILE_CACHE = path.join(folder, 'node-compile-cache');
  Object.assign(process.env, plainGit(folder));
  return () => {
    // one that was told to end just now may take a moment
    if (processesIn(folder).length > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    const processes = processesIn(folder);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !OTHERS.test(name));
    for (const { pid } of processes) kill(pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    if (files.length > 0) console.error(`Left behind by tests:\n${files.slice(0, 20).join('\n')}`);
    if (processes.length === 0) return;
    console.error(`Still running:\n${processes.map(({ pid, command }) => `${pid} ${command}`).join('\n')}`);
    process.exitCode = 1;
  };
}

/** For the repositories that tests make: without fourteen samples of hooks in each, and without maintenance after each commit. */
function plainGit(folder: string): Record<string, string> {
  const template = path.join(folder, '.git-template');
  mkdirSync(path.join(template, 'info'), { recursive: true });
  const setting = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'maintenance.auto', GIT_CONFIG_VALUE_0: 'false' };
  return { GIT_TEMPLATE_DIR: template, ...setting };
}

/** What Node, npm and Vitest keep in a temp folder themselves. */
const OTHERS = /^(node-compile-cache|v8-compile-cache|npm-|vitest|\.)/;

function processesIn(folder: string): { pid: number; command: string }[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200);
        const inside = readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) || command.includes(folder);
        return inside ? [{ pid: Number(pid), command }] : [];
      } catch {
        return [];
      }
    });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone in the meantime
  }
}
