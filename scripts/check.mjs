// Lint, types and unused code, at the same time: each uses one core for most of its time. All of them report, not only the first.
import { execFile } from 'node:child_process';
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

const passed = await Promise.all([run('biome', 'check', '.'), run('tsc', '--noEmit'), run('knip', '--no-progress')]);
process.exitCode = passed.every(Boolean) ? 0 : 1;
