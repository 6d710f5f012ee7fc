import { type Body, type SeenMessage, textOf, usageOf, type Wire } from './wire.ts';

const ROLES: Readonly<Record<string, (item: Body) => SeenMessage>> = {
  message: ({ role, content }) => ({ role, text: textOf(content) }),
  function_call: ({ name, arguments: args }) => ({ role: 'call', text: `${name} ${args}` }),
  custom_tool_call: ({ name, input }) => ({ role: 'call', text: `${name} ${input}` }),
  function_call_output: ({ output }) => ({ role: 'tool', text: textOf(output) }),
  custom_tool_call_output: ({ output }) => ({ role: 'tool', text: textOf(output) }),
};

/** OpenAI's Responses API, streamed. */
export const responses: Wire = {
  name: 'responses',
  serves: (path) => path.endsWith('/responses'),
  view: ({ instructions, input = [] }) => [
    ...(instructions ? [{ role: 'system', text: instructions } as const] : []),
    ...input.flatMap((item: Body) => ROLES[item.type ?? 'message']?.(item) ?? []),
  ],
  errorBody: ({ type = 'server_error', message = 'scripted' }) => ({ error: { message, type, code: type } }),
  send: (response, reply, { index }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = (type: string, data: object) =>
      void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    const id = `resp_${index}`;
    write('response.created', { response: { id } });
    const items = [
      ...(reply.text === undefined ? [] : [textItem(index, reply.text)]),
      ...(reply.tools ?? []).map((tool, place) => callItem(`${index}_${place}`, tool)),
    ];
    items.forEach((item, place) => {
      write('response.output_item.done', { output_index: place, item });
    });
    const { input, output, cached } = usageOf(reply);
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    };
    write('response.completed', { response: { id, usage } });
    response.end();
  },
};

const textItem = (index: number, text: string) => ({
  type: 'message',
  id: `msg_${index}`,
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});

const callItem = (id: string, { name, input }: { readonly name: string; readonly input: unknown }) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: `call_${id}`,
  name,
  arguments: JSON.stringify(input),
});
