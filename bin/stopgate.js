#!/usr/bin/env node
// Kept free of anything a newer Node is needed for, so that an older one can read it and say what is missing.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `stopgate needs Node 24 or newer and this is ${process.version}; install it (or run through npm in a checkout, which brings its own).`,
  );
  process.exit(1);
}
// Compiled code is kept between starts: this file runs at every hook event, and parsing costs more than running.
const { enableCompileCache } = await import('node:module');
const { homedir } = await import('node:os');
const { join } = await import('node:path');
if (!process.env.NODE_DISABLE_COMPILE_CACHE) {
  enableCompileCache(join(process.env.STOPGATE_HOME || join(homedir(), '.stopgate'), 'cache', 'compile'));
}
// `stopgate hook EVENT` is what settings call; its help is the command's
const isEvent = process.argv[2] === 'hook' && /^[a-z]/.test(process.argv[3] ?? '');
// not process.stdin: a mere look at it makes the pipe non-blocking, and the hook reads it itself
const isHook = isEvent && !(await import('node:tty')).isatty(0);
// what loops of shells and agents call; it goes on to the whole command by itself where it has to
const isTask = process.argv[2] === 'task' && /^(claim|complete|fail|release)$/.test(process.argv[3] ?? '');
const bundle = isHook ? 'hook.cjs' : isTask ? 'task.cjs' : 'cli.js';
await import(`../dist/${bundle}`).catch((error) => {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.message).includes('dist')) throw error;
  console.error('stopgate is not built: run `npm run build` in its folder first.');
  process.exit(1);
});
