// A Mastra agent with a definition of done.
// npm install stopgate @mastra/core zod && node mastra.ts. The model is scripted: put yours in its place.
import { writeFileSync } from 'node:fs';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { createGate } from 'stopgate/gate';
import { untilDone } from 'stopgate/mastra';
import { z } from 'zod';
import { scriptedModel } from './models/mastra.ts';

const write = createTool({
  id: 'write',
  description: 'Writes greeting.txt.',
  inputSchema: z.object({ text: z.string() }),
  // Mastra ends the run after a tool that returns nothing
  execute: async ({ text }) => {
    writeFileSync('greeting.txt', text);
    return 'written';
  },
});
const agent = new Agent({ id: 'a', name: 'a', instructions: 'Work.', model: scriptedModel(), tools: { write } });

const gate = createGate({
  cwd: process.cwd(),
  checks: [{ name: 'greeting', command: 'grep -q hello greeting.txt' }],
});
const { steps } = await agent.generate('Write a greeting.', { maxSteps: 100, ...untilDone(gate) });

for (const { text, toolCalls } of steps) console.log(text || toolCalls.map(({ payload }) => payload.toolName).join());
console.log(gate.verdict?.type === 'stop' ? `ended: ${gate.verdict.ending.reason}` : 'not done');
