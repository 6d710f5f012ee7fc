// LangChain's createAgent with a definition of done; the same middleware works in createDeepAgent.
// npm install stopgate langchain @langchain/core && node langchain.ts. The model is scripted: put yours in its place.
import { writeFileSync } from 'node:fs';
import { createAgent, tool } from 'langchain';
import { createGate } from 'stopgate/gate';
import { untilDone } from 'stopgate/langchain';
import { z } from 'zod';
import { scriptedModel } from './models/langchain.ts';

const write = tool(async ({ text }) => writeFileSync('greeting.txt', text), {
  name: 'write',
  description: 'Writes greeting.txt.',
  schema: z.object({ text: z.string() }),
});

const gate = createGate({
  cwd: process.cwd(),
  checks: [{ name: 'greeting', command: 'grep -q hello greeting.txt' }],
});
const agent = createAgent({ model: scriptedModel(), tools: [write], middleware: [untilDone(gate)] });
const { messages } = await agent.invoke({ messages: 'Write a greeting.' }, { recursionLimit: 200 });

for (const message of messages) console.log(`${message.getType()}: ${message.text}`);
console.log(gate.verdict?.type === 'stop' ? `ended: ${gate.verdict.ending.reason}` : 'not done');
