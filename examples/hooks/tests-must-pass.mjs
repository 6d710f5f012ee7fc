#!/usr/bin/env node
// Stop hook: the turn may end when a command succeeds.
//   tests-must-pass.mjs npm test          tests-must-pass.mjs "npm run lint && npm test"
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { block, forget, projectDir, readEvent, tail } from './stopHook.mjs';

const [command, ...args] = process.argv.slice(2);
if (!command) {
  console.error('tests-must-pass needs the command to run, for example: tests-must-pass.mjs npm test');
  process.exit(1);
}

const event = await readEvent();
const { failure, output } = await run();
if (failure === undefined) forget(event, 'tests-must-pass');
else {
  const name = [command, ...args].join(' ');
  const reason = `\`${name}\` ${failure}. Fix the cause, run it yourself, then finish. Its last lines:\n\n${tail(output)}`;
  block(event, 'tests-must-pass', reason);
}

/** Runs in this process's group, so that ending the hook ends the tests too. */
async function run() {
  const child = spawn(command, args, {
    cwd: projectDir(event),
    shell: args.length === 0,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (piece) => {
    output = (output + piece).slice(-100_000);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const closed = once(child, 'close').catch(() => {});
  try {
    const [code, signal] = await once(child, 'exit');
    // processes that it left running may keep its pipes open
    await Promise.race([closed, delay(500, undefined, { ref: false })]);
    child.stdout.destroy();
    child.stderr.destroy();
    if (code === 0) return { output };
    return { output, failure: signal ? `was killed by ${signal}` : `failed with exit code ${code}` };
  } catch (error) {
    return { output, failure: `could not be started (${error.message})` };
  }
}
