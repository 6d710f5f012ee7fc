import { type Body, json, type SeenMessage, usageOf, type Wire } from './wire.ts';

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** Gemini's generateContent, streamed or not. */
export const generateContent: Wire = {
  name: 'generateContent',
  serves: (path) => /:(streamG|g)enerateContent$/.test(path),
  view: ({ systemInstruction, contents = [] }) => [
    ...(systemInstruction?.parts ?? []).map(({ text }: Body) => ({ role: 'system', text })),
    ...contents.flatMap(({ role, parts }: Body) => parts.map((part: Body) => viewOf(role, part))),
  ],
  errorBody: ({ status, message = 'scripted' }) => ({
    error: { code: status, message, status: STATUS_NAMES[status] ?? 'UNKNOWN' },
  }),
  send: (response, reply, { index, url }) => {
    const { input, output, cached } = usageOf(reply);
    const parts = [
      ...(reply.text === undefined ? [] : [{ text: reply.text }]),
      ...(reply.tools ?? []).map(({ name, input: args }) => ({ functionCall: { name, args } })),
    ];
    const answer = {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: input,
        candidatesTokenCount: output,
        totalTokenCount: input + output,
        cachedContentTokenCount: cached,
      },
      modelVersion: 'standin',
      responseId: `response_${index}`,
    };
    if (!url.includes(':streamGenerateContent')) return json(response, 200, answer);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(answer)}\n\n`);
  },
};

function viewOf(role: string, { text, functionCall, functionResponse }: Body): SeenMessage {
  if (functionCall) return { role: 'call', text: `${functionCall.name} ${JSON.stringify(functionCall.args)}` };
  if (!functionResponse) return { role: role === 'model' ? 'assistant' : 'user', text: text ?? '' };
  const { output, error } = functionResponse.response ?? {};
  return { role: 'tool', text: String(output ?? error ?? JSON.stringify(functionResponse.response)) };
}
