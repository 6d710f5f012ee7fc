// The OpenAI Agents SDK with a definition of done: `run` with an outer loop, here with a session.
// npm install stopgate @openai/agents zod && node openai-agents.ts. The model is scripted: put yours in its place.
import { writeFileSync } from 'node:fs';
import { Agent, MemorySession, run, setTracingDisabled, tool } from '@openai/agents';
import { createGate } from 'stopgate/gate';
import { runUntilDone } from 'stopgate/openai-agents';
import { z } from 'zod';
import { scriptedModel } from './models/openai-agents.ts';

setTracingDisabled(true);
const write = tool({
  name: 'write',
  description: 'Writes greeting.txt.',
  parameters: z.object({ text: z.string() }),
  execute: async ({ text }) => writeFileSync('greeting.txt', text),
});
const agent = new Agent({ name: 'a', instructions: 'Work.', model: scriptedModel(), tools: [write] });

const gate = createGate({
  cwd: process.cwd(),
  checks: [{ name: 'greeting', command: 'grep -q hello greeting.txt' }],
});
const session = new MemorySession();
const stream = await runUntilDone(run, gate)(agent, 'Write a greeting.', { session, stream: true });

for await (const text of stream.toTextStream()) console.log(text);
await stream.completed;
console.log(gate.verdict?.type === 'stop' ? `ended: ${gate.verdict.ending.reason}` : 'not done');
