import { mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Nothing may be left behind: the whole run gets a temp folder of its own, and fails when a test leaves a folder in it or
 * a process that works in it.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'stopgate-run-'));
  process.env.TMPDIR = folder;
  return () => {
    const processes = processesIn(folder);
    const folders = readdirSync(folder).filter((name) => !OTHERS.test(name));
    for (const { pid } of processes) kill(pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    const left = [
      ...folders.map((name) => `folder ${name}`),
      ...processes.map(({ pid, command }) => `process ${pid} ${command}`),
    ];
    if (left.length === 0) return;
    console.error(`Left behind by tests:\n${left.join('\n')}`);
    process.exitCode = 1;
  };
}

/** What Node, npm and Vitest keep in a temp folder themselves. */
const OTHERS = /^(node-compile-cache|v8-compile-cache|npm-|vitest|\.)/;

function processesIn(folder: string): { pid: number; command: string }[] {
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
