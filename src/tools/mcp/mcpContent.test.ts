import { describe, expect, it } from 'vitest';
import { readMcpResult, readReplacement } from './mcpContent.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function reading(maxCharacters = 1000) {
  const saved: string[] = [];
  const save = async (bytes: Buffer, mediaType: string) => `/kept/${saved.push(`${mediaType} ${bytes.length}`)}`;
  return { server: 'box', toolName: 'mcp__box__t', maxCharacters, save, saved };
}

const text = (words: string) => ({ type: 'text', text: words });

describe('what a model reads of an MCP result', () => {
  it('shows an image and where it is kept', async () => {
    const facts = reading();
    const image = { type: 'image', data: PNG, mimeType: 'image/png' };
    const outcome = await readMcpResult({ content: [text('see'), image] }, facts);
    const source = { type: 'base64', media_type: 'image/png', data: PNG };
    const content = [text('see'), { type: 'image', source }, text('[Image: source: /kept/1]')];
    expect(outcome).toEqual({ type: 'done', content, output: content });
  });

  it.each([
    [
      'audio',
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      '[Audio from box] Binary content (audio/wav, 3 bytes) saved to /kept/1',
    ],
    [
      'an image that is none',
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      '[Image from box] Binary content (image/png, 3 bytes) saved to /kept/1',
    ],
    [
      'a binary resource',
      { type: 'resource', resource: { uri: 'x:y', blob: 'AAAA' } },
      '[Resource at x:y from box] Binary content (application/octet-stream, 3 bytes) saved to /kept/1',
    ],
    ['a part of an unknown kind', { type: 'new', a: 1 }, '{"type":"new","a":1}'],
    ['a part that is not an object', 5, '{"type":""}'],
  ])('puts %s into words', async (_, part, words) => {
    const outcome = await readMcpResult({ content: [part] }, reading());
    expect(outcome).toMatchObject({ type: 'done', content: [text(words)] });
  });

  it.each([
    [{ content: 'nothing' }, '(mcp__box__t completed with no output)'],
    [{}, '(mcp__box__t completed with no output)'],
  ])('reports that %j has no output', async (result, content) => {
    expect(await readMcpResult(result, reading())).toEqual({ type: 'done', output: [], content });
  });

  it('cuts all text together at the limit, errors and structured content too', async () => {
    const long = 'x'.repeat(500);
    const done = await readMcpResult({ content: [text(long), text(long)] }, reading(600));
    const length = JSON.stringify(done.type === 'done' ? done.content : '').length;
    expect(length).toBeLessThan(800);
    const failed = await readMcpResult({ isError: true, content: [text(long), text(long)] }, reading(100));
    expect(failed.type === 'failed' && failed.message.length).toBeLessThan(200);
    const structured = await readMcpResult({ structuredContent: { long } }, reading(100));
    expect(structured.type === 'done' && structured.content.length).toBeLessThan(200);
  });
});

it.each([
  ['words', 'words'],
  [[text('a')], [text('a')]],
  [{ a: 1 }, '{"a":1}'],
  [[{ type: 'text' }], undefined],
  [[{ type: 'audio', data: '' }], undefined],
  [[5], undefined],
])('an output that a hook gives, %j, is read as %j', (output, content) => {
  expect(readReplacement(output)).toEqual(content);
});
