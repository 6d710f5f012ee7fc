// Lint, types and unused code, at the same time: each uses one core for most of its time. All of them report, not only the first.
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const bin = path.join(root, 'node_modules/.bin');
const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
const options = { cwd: root, env: { ...process.env, ...color }, maxBuffer: 64 * 1024 * 1024 };

const run = (name, ...args) =>
  new Promise((resolve) => {
    execFile(path.join(bin, name), args, options, (error, stdout, stderr) => {
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      if (error) console.error(`${name} failed.`);
      resolve(error === null);
    });
  });

// each checker of tsc learns the types that all share: by default there are four of them, twice the work of one on two cores
const checkers = String(Math.min(4, Math.ceil(availableParallelism() / 2)));
const passed = await Promise.all([
  run('biome', 'check', '.'),
  run('tsc', '--noEmit', '--checkers', checkers),
  run('knip', '--no-progress'),
]);
process.exitCode = passed.every(Boolean) ? 0 : 1;
