import { type Body, json, type SeenMessage, textOf, usageOf, type Wire, type WireReply } from './wire.ts';

/** OpenAI's Chat Completions, streamed or not. */
export const chatCompletions: Wire = {
  name: 'chatCompletions',
  serves: (path) => path.endsWith('/chat/completions'),
  view: ({ messages = [] }) => messages.flatMap(viewOf),
  errorBody: ({ type = 'server_error', message = 'scripted' }) => ({ error: { message, type, code: type } }),
  send: (response, reply, { body, index }) => {
    const base = { id: `chatcmpl_${index}`, created: Math.floor(Date.now() / 1000), model: body.model };
    const { message, finish, usage } = completionOf(reply, index);
    if (body.stream !== true) {
      const choices = [{ index: 0, message, finish_reason: finish }];
      json(response, 200, { ...base, object: 'chat.completion', choices, usage });
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = (data: object) =>
      void response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...data })}\n\n`);
    const { tool_calls: calls, ...said } = message;
    const delta = { ...said, ...(calls && { tool_calls: calls.map((call, place) => ({ index: place, ...call })) }) };
    write({ choices: [{ index: 0, delta, finish_reason: null }] });
    write({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
    write({ choices: [], usage });
    response.end('data: [DONE]\n\n');
  },
};

function viewOf({ role, content, tool_calls: calls = [] }: Body): SeenMessage[] {
  const text = textOf(content);
  const said = text === '' && calls.length > 0 ? [] : [{ role, text }];
  return [...said, ...calls.map(({ function: f }: Body) => ({ role: 'call', text: `${f.name} ${f.arguments}` }))];
}

function completionOf(reply: WireReply, index: number) {
  const calls = (reply.tools ?? []).map(({ name, input }, place) => ({
    id: `call_${index}_${place}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const { input, output, cached } = usageOf(reply);
  return {
    message: { role: 'assistant', content: reply.text ?? null, ...(calls.length > 0 && { tool_calls: calls }) },
    finish: calls.length > 0 ? 'tool_calls' : 'stop',
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
    },
  };
}
