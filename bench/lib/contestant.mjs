import { spawn } from 'node:child_process';

const LIMIT_MS = 120_000;

/**
 * Runs one measurement in its own process and returns the JSON it prints: contestants share no heap, no compiled code and
 * no garbage with each other or with the bench.
 */
export function runContestant(script, args, { limitMs = LIMIT_MS } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, limitMs);
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      const name = args.join(' ');
      if (late) reject(new Error(`${name} took more than ${limitMs / 1000} s`));
      else if (code !== 0) reject(new Error(`${name} ended with ${signal ?? `exit code ${code}`}`));
      else resolve(JSON.parse(out));
    });
  });
}
