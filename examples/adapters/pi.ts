// An agent of pi-agent-core with a definition of done. For the pi coding agent, put two lines into ~/.pi/agent/extensions/stopgate.ts:
//   import { stopgate } from 'stopgate/pi';
//   export default stopgate();
// npm install stopgate @earendil-works/pi-agent-core && node pi.ts. The model is scripted: put yours in its place.
import { writeFileSync } from 'node:fs';
import { Agent, type AgentTool } from '@earendil-works/pi-agent-core';
import { createFauxCore, fauxAssistantMessage, fauxToolCall, Type } from '@earendil-works/pi-ai';
import { createGate } from 'stopgate/gate';
import { gateAgent } from 'stopgate/pi';
import { TURNS } from './models/turns.ts';

const parameters = Type.Object({ text: Type.String() });
const write: AgentTool<typeof parameters> = {
  name: 'write',
  label: 'write',
  description: 'Writes greeting.txt.',
  parameters,
  execute: async (_id, { text }) => {
    writeFileSync('greeting.txt', text);
    return { content: [{ type: 'text', text: 'written' }], details: undefined };
  },
};
const scripted = createFauxCore({});
scripted.setResponses(
  TURNS.map((turn) => fauxAssistantMessage('text' in turn ? turn.text : fauxToolCall(turn.tool.name, turn.tool.input))),
);
const agent = new Agent({
  initialState: { systemPrompt: 'Work.', model: scripted.getModel(), tools: [write] },
  streamFn: scripted.streamSimple,
});

const gate = createGate({
  cwd: process.cwd(),
  checks: [{ name: 'greeting', command: 'grep -q hello greeting.txt' }],
});
gateAgent(agent, gate);
await agent.prompt('Write a greeting.');

for (const message of agent.state.messages) console.log(JSON.stringify(message));
console.log(gate.verdict?.type === 'stop' ? `ended: ${gate.verdict.ending.reason}` : 'not done');
