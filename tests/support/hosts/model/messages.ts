import { sendReply } from '../../../../src/testing/modelServer.ts';
import { type Body, type SeenMessage, textOf, type Wire } from './wire.ts';

/** Anthropic's Messages API: as the published double speaks it. */
export const messages: Wire = {
  name: 'messages',
  serves: (path) => path.endsWith('/v1/messages'),
  view: ({ system, messages: said = [] }) => [
    ...(system ? [{ role: 'system', text: textOf(system) } as const] : []),
    ...said.flatMap(({ role, content }: Body) =>
      typeof content === 'string' ? [{ role, text: content }] : content.map((block: Body) => viewOf(role, block)),
    ),
  ],
  errorBody: ({ type = 'api_error', message = 'scripted' }) => ({ type: 'error', error: { type, message } }),
  send: (response, reply, { body, index }) =>
    sendReply(response, reply, { model: body.model, index, stream: body.stream === true }),
};

function viewOf(role: SeenMessage['role'], block: Body): SeenMessage {
  if (block.type === 'tool_use') return { role: 'call', text: `${block.name} ${JSON.stringify(block.input)}` };
  if (block.type === 'tool_result') return { role: 'tool', text: textOf(block.content) };
  return { role, text: block.text ?? block.thinking ?? '' };
}
