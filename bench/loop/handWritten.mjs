import { PROMPT, reply, SYSTEM, TOOL } from './scenario.mjs';

/**
 * A minimal agent loop: stream, collect, run the tool, append, request again. It yields events, as every contestant does.
 * Its request is a view of one growing list in the provider's shape, so no step costs more than the one before it.
 */
export async function makeContestant() {
  return {
    async run(steps, onEvent) {
      const turn = loop(steps);
      for (;;) {
        const { done, value } = await turn.next();
        if (done) return value;
        onEvent(value);
      }
    },
  };
}

const TOOLS = new Map([[TOOL.name, async (input) => TOOL.run(input)]]);

async function* loop(steps) {
  const conversation = [];
  let toolRuns = 0;
  let sent = 0;
  add(conversation, { role: 'user', content: [{ type: 'text', text: PROMPT }] });
  for (let n = 0; ; n++) {
    const request = { system: SYSTEM, tools: TOOLS, conversation, length: conversation.length };
    sent = request.length;
    const blocks = [];
    let stopReason;
    for await (const event of reply(n, steps)) {
      yield event;
      if (event.type === 'block') blocks.push(event.block);
      else if (event.type === 'finish') stopReason = event.stopReason;
    }
    add(conversation, { role: 'assistant', content: blocks.map(requestPart) });
    if (stopReason !== 'tool_use') return { toolRuns, sent };
    for (const block of blocks) {
      if (block.type !== 'tool_use') continue;
      const value = await TOOLS.get(block.name)(block.input);
      toolRuns++;
      yield { type: 'tool_end', id: block.id };
      add(conversation, {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: block.id, output: { type: 'text', value } }],
      });
    }
  }
}

const add = (conversation, message) => conversation.push(message);

function requestPart(block) {
  if (block.type === 'text') return { type: 'text', text: block.text };
  return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input };
}
