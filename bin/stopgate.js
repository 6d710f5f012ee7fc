#!/usr/bin/env node
// Kept free of anything a newer Node is needed for, so that an older one can read it and say what is missing. A CommonJS file,
// by the package.json beside it: Node starts those sooner.
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
const isHook = isEvent && !process.getBuiltinModule('node:tty').isatty(0);
try {
  require(isHook ? '../dist/hook.cjs' : '../dist/cli.cjs');
} catch (error) {
  if (error?.code !== 'MODULE_NOT_FOUND' || !String(error.message).includes('dist')) throw error;
  console.error('stopgate is not built: run `npm run build` in its folder first.');
  process.exit(1);
}
