import { describe, expect, it } from 'vitest';
import { startModelServer } from './modelServer.ts';

describe('startModelServer', () => {
  it('answers without a stream by default, and counts tokens', async () => {
    const server = await startModelServer(({ messages }) => ({ text: `echo ${messages[0].content}` }));
    const post = async (path: string, body: object) =>
      (await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
    const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
    expect(await post('/v1/messages', body)).toMatchObject({
      model: 'm',
      content: [{ type: 'text', text: 'echo hi' }],
      stop_reason: 'end_turn',
    });
    expect(await post('/v1/messages/count_tokens', body)).toEqual({ input_tokens: 10 });
    expect(await post('/elsewhere', body)).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
    expect(server.seen).toHaveLength(1);
    await server.close();
  });

  it('closes open connections', async () => {
    const server = await startModelServer(() => ({ text: 'Let me', breakOff: 'hang' }));
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: '{"stream":true}' });
    await server.close();
    await expect(response.text()).rejects.toThrow();
    expect(await server.seen[0]?.closed).toBe('broken');
  });
});
