// A loop of your own that ends when a check passes, here with a shell command as the agent:
//   node examples/gate.ts "CHECK" "AGENT"        the agent gets the message on stdin
import { spawnSync } from 'node:child_process';
import { createGate } from 'stopgate/gate';

const [check = 'npm test', agent = 'cat'] = process.argv.slice(2);
const gate = createGate({ cwd: process.cwd(), checks: [{ name: 'done', command: check }], onNote: console.error });
await gate.begin();

let message = 'Make the check pass.';
for (;;) {
  const answer = spawnSync(agent, { shell: true, input: message, encoding: 'utf8' }).stdout;
  const verdict = await gate.mayStop({ answer });
  if (verdict.type === 'stop') {
    console.log(`${verdict.ending.reason}; proven: ${verdict.proven}`);
    break;
  }
  console.log(`sent back (${verdict.attempt})`);
  message = verdict.feedback;
}
