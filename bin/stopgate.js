#!/usr/bin/env node
// Kept free of anything a newer Node is needed for, so that an older one can read it and say what is missing.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `stopgate needs Node 24 or newer and this is ${process.version}; install it (or run through npm in a checkout, which brings its own).`,
  );
  process.exit(1);
}
// `stopgate hook EVENT` is what settings call; its help is the command's
const isEvent = process.argv[2] === 'hook' && /^[a-z]/.test(process.argv[3] ?? '');
// not process.stdin: a mere look at it makes the pipe non-blocking, and the hook reads it itself
const isHook = isEvent && !(await import('node:tty')).isatty(0);
// what loops of shells and agents call; it goes on to the whole command by itself where it has to
const isTask = process.argv[2] === 'task' && /^(claim|complete|fail|release)$/.test(process.argv[3] ?? '');
const bundle = isHook ? 'hook.cjs' : isTask ? 'task.cjs' : 'cli.js';
const { createRequire, enableCompileCache } = await import('node:module');
try {
  // first of all: what creates our folder after this finds it closed to others
  const { makeHome, stopgateHome, whyHomeUnsafe } = createRequire(import.meta.url)('../dist/home.cjs');
  // a dry run writes nothing but the cache
  if (!process.env.NODE_DISABLE_COMPILE_CACHE || !process.argv.includes('--dry-run')) makeHome(process.env);
  const unsafe = whyHomeUnsafe(process.env);
  // a hook must not fail: it says the same in its answer
  if (unsafe !== null && !isHook) {
    console.error(`stopgate: ${unsafe}.`);
    process.exit(1);
  }
  // Compiled code is kept between starts: this file runs at every hook event, and parsing costs more than running.
  if (unsafe === null && !process.env.NODE_DISABLE_COMPILE_CACHE) {
    enableCompileCache(`${stopgateHome(process.env)}/cache/compile`);
  }
  await import(`../dist/${bundle}`);
} catch (error) {
  const isMissing = error?.code === 'ERR_MODULE_NOT_FOUND' || error?.code === 'MODULE_NOT_FOUND';
  if (!isMissing || !String(error.message).includes('dist')) throw error;
  console.error('stopgate is not built: run `npm run build` in its folder first.');
  process.exit(1);
}
