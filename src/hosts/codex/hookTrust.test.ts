import { expect, it } from 'vitest';
import { ourHooks } from './hookTrust.ts';

const OURS = '"/a/b" hook stop --timeout 3600 --host codex # stopgate';
const mine = { hooks: [{ type: 'command', command: 'true' }] };
const group = (handler: object, more: object = {}) => ({
  ...more,
  hooks: [{ type: 'command', command: OURS, ...handler }],
});
const hooksOf = (hooks: object) => ourHooks(JSON.stringify({ hooks }), '/h/hooks.json');

it('has the hash that Codex 0.169.0 lists for the same content', () => {
  // `hooks/list` of its app server
  const handler = { timeout: 3600, statusMessage: 'stopgate' };
  expect(hooksOf({ Stop: [mine, group(handler)] })).toEqual([
    {
      key: '/h/hooks.json:stop:1:0',
      hash: 'sha256:2ffdcf4f3adc97acb8bf3b83029a7b3be2d62f06bfb75d7a2092422d241e762b',
    },
  ]);
});

it.each([
  ['its timeout', group({ timeout: 5 })],
  ['its matcher', group({}, { matcher: '*' })],
  ['its mode', group({ async: true })],
])('differs by %s', (_what, other) => {
  const [plain] = hooksOf({ Stop: [group({})] });
  expect(hooksOf({ Stop: [other] })[0]).toEqual({
    key: plain?.key,
    hash: expect.not.stringMatching(`^${plain?.hash}$`),
  });
});

it('knows an unnamed timeout as 600 seconds, and places by event, group and handler', () => {
  expect(hooksOf({ Stop: [group({ timeout: 600 })] })).toEqual(hooksOf({ Stop: [group({})] }));
  const two = { hooks: [...mine.hooks, ...group({}).hooks] };
  expect(hooksOf({ PreToolUse: [mine, two] }).map(({ key }) => key)).toEqual(['/h/hooks.json:pre_tool_use:1:1']);
});

it.each(['', '[]', '{"hooks":[]}', '{"hooks":{"Stop":{}}}', '{"hooks":{"Stop":[1,{"hooks":[null]}]}}', '{'])(
  'finds none in %s',
  (text) => {
    expect(ourHooks(text, '/h/hooks.json')).toEqual([]);
  },
);
