// The Claude Agent SDK, until the check passes: node agent-sdk.mjs "CHECK" (with @anthropic-ai/claude-agent-sdk installed)
import { query } from '@anthropic-ai/claude-agent-sdk';
import { gateEnv, untilDone } from 'stopgate/agent-sdk';
import { createGate } from 'stopgate/gate';

const gate = createGate({ cwd: process.cwd(), checks: [{ name: 'done', command: process.argv[2] ?? 'npm test' }] });
const turn = query({
  prompt: 'Write "yes" to answer.txt.',
  options: {
    permissionMode: 'acceptEdits',
    hooks: untilDone(gate, { onVerdict: ({ type }) => console.log(type) }),
    env: gateEnv(),
    // its own copy, by default
    pathToClaudeCodeExecutable: process.env.CLAUDE_CODE_PROGRAM,
  },
});
for await (const message of turn) if (message.type === 'result') console.log(message.result);
if (gate.verdict?.type === 'stop') console.log(`${gate.verdict.ending.reason}; proven: ${gate.verdict.proven}`);
