// The AI SDK, until the check passes: node examples/adapters/ai-sdk.ts "CHECK" (with ANTHROPIC_API_KEY)
import { writeFile } from 'node:fs/promises';
import { anthropic } from '@ai-sdk/anthropic';
import { generateText, isLoopFinished, tool } from 'ai';
import { untilDone } from 'stopgate/ai-sdk';
import { createGate } from 'stopgate/gate';
import * as z from 'zod';

const gate = createGate({ cwd: process.cwd(), checks: [{ name: 'done', command: process.argv[2] ?? 'npm test' }] });
const write = tool({
  description: 'Writes a file.',
  inputSchema: z.object({ file: z.string(), text: z.string() }),
  execute: async ({ file, text }) => {
    await writeFile(file, text);
    return 'written';
  },
});

const { text } = await generateText({
  model: anthropic('claude-sonnet-4-5'),
  prompt: 'Write "yes" to answer.txt.',
  tools: { write },
  stopWhen: isLoopFinished(),
  ...untilDone(gate, { onVerdict: ({ type }) => console.log(type) }),
});
console.log(text);
if (gate.verdict?.type === 'stop') console.log(`${gate.verdict.ending.reason}; proven: ${gate.verdict.proven}`);
