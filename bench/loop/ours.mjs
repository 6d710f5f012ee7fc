import { PROMPT, reply, SYSTEM, TOOL } from './scenario.mjs';

/** `query()` of the built library, with the real conversion of the request for providers at every step. */
export async function makeContestant({ library, requests }) {
  const { query, z } = await import(library);
  const { callOptionsMaker } = await import(requests);
  const tool = lookTool(z ?? (await import('zod')).z);
  return { run: (steps, onEvent) => run(steps, onEvent, { query, callOptionsMaker, tool }) };
}

let toolRuns = 0;

/** With the library's own Zod, if it is exported: a second copy would count as the loop's memory. */
const lookTool = (z) => ({
  name: TOOL.name,
  description: TOOL.description,
  inputSchema: z.strictObject({ path: z.string(), line: z.number() }),
  isReadOnly: () => true,
  permission: () => ({ type: 'free' }),
  summary: ({ path }) => path,
  // biome-ignore lint/correctness/useYield: a tool with nothing to show while it runs
  async *call(input) {
    toolRuns++;
    const text = TOOL.run(input);
    return { type: 'done', output: text, content: text };
  },
});

async function run(steps, onEvent, { query, callOptionsMaker, tool }) {
  toolRuns = 0;
  let n = 0;
  let sent = 0;
  const makeCallOptions = callOptionsMaker({ maxOutputTokens: 8000, caching: 'anthropic' });
  const model = {
    id: 'anthropic/claude-sonnet-4-5',
    contextWindow: 100_000_000,
    maxOutputTokens: 8000,
    stream(request) {
      // minus the system prompt, which is a message to the SDK
      const call = makeCallOptions(request, request.signal);
      sent = call.options.prompt.length - 1;
      call.giveBack();
      return reply(n++, steps);
    },
  };
  const turn = query({
    messages: [userMessage(PROMPT)],
    systemPrompt: [SYSTEM],
    userContext: {},
    systemContext: {},
    toolUseContext: toolUseContext(model, tool),
  });
  for (;;) {
    const { done, value } = await turn.next();
    if (done) {
      if (value.reason !== 'completed') throw new Error(`the turn ended with ${JSON.stringify(value)}`);
      return { toolRuns, sent };
    }
    onEvent(value);
  }
}

function userMessage(content) {
  return { type: 'user', uuid: 'first', timestamp: new Date(0).toISOString(), message: { role: 'user', content } };
}

function toolUseContext(model, tool) {
  return {
    model,
    tools: [tool],
    permissions: {
      mode: 'default',
      rules: { allow: ['Look'], ask: [], deny: [] },
      additionalDirectories: [],
      homeDir: '/home/bench',
    },
    signal: new AbortController().signal,
    session: { id: 'bench', transcriptPath: '/dev/null' },
    queryTracking: { chainId: 'bench', depth: 0 },
    toolServices: {
      directory: { projectDir: '/project', current: () => '/project' },
      env: {},
      shells: { list: () => [] },
      background: { hasEnded: () => false, running: () => [] },
    },
  };
}
