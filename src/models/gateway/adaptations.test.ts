import { describe, expect, it } from 'vitest';
import {
  type Adaptation,
  adapted,
  BETA_HEADER,
  decideAdaptations,
  type PlainRequest,
  plainestForm,
} from './adaptations.ts';
import { readObjection } from './objection.ts';

const BETA = 'mid-conversation-system-2026-04-07';
const request: PlainRequest = {
  headers: { [BETA_HEADER]: `context-1m-2025-08-07,${BETA}`, 'x-api-key': 'k' },
  body: {
    model: 'm',
    max_tokens: 10,
    system: [{ type: 'text', text: 'be good', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'system', content: [{ type: 'text', text: 'the date' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'X', input: { cache_control: 'mine' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'r', is_error: false }] },
    ],
    tools: [{ name: 'X', description: 'd', input_schema: { properties: { strict: {} } }, strict: false }],
    tool_choice: { type: 'auto' },
    stream: true,
  },
};

const system: Adaptation = { type: 'systemAsUser' };
const field = (name: string): Adaptation => ({ type: 'withoutField', field: name });

describe('decideAdaptations', () => {
  it.each<[objection: string, adaptations: readonly Adaptation[]]>([
    ["messages.1.role: Input should be 'user' or 'assistant'", [system]],
    ['Unexpected role "system". The Messages API accepts a top-level `system` parameter.', [system]],
    ['role system is not supported in messages', [system]],
    ['messages: invalid role, must be one of "user", "assistant"', [system]],
    ['Only user and assistant roles are allowed', [system]],
    ['Unexpected value(s) `mid-conversation-system-2026-04-07` for the `anthropic-beta` header', [system]],
    ['invalid beta flag', [system, { type: 'withoutBeta' }]],
    ['unknown header anthropic-beta', [system, { type: 'withoutBeta' }]],
    ['unsupported beta: context-1m-2025-08-07', [{ type: 'withoutBeta', beta: 'context-1m-2025-08-07' }]],
    ['system.0.cache_control: Extra inputs are not permitted', [field('cache_control')]],
    ['tools.0.custom.strict: Extra inputs are not permitted', [field('strict')]],
    ['Unrecognized request argument supplied: tool_choice', [field('tool_choice')]],
    [
      "Additional properties are not allowed ('tool_choice', 'strict' were unexpected)",
      [field('strict'), field('tool_choice')],
    ],
    ['Unknown field: temperature', []],
    ['model: unknown model', []],
    ['prompt is too long: 1 > 0', []],
    ['messages.3.content.0: image exceeds 5 MB', []],
    ['max_tokens: must be at most 4096', []],
    ['', []],
  ])('after "%s"', (objection, adaptations) => {
    expect(new Set(decideAdaptations(objection, request))).toEqual(new Set(adaptations));
  });

  it('names nothing twice: what is left out cannot be objected to', () => {
    const objections = ['role system is not allowed', 'invalid beta flag', 'Extra inputs are not permitted: strict'];
    for (const objection of objections) {
      const decided = decideAdaptations(objection, request);
      expect(decided).not.toEqual([]);
      expect(decideAdaptations(objection, adapted(request, decided))).toEqual([]);
    }
  });
});

describe('images', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const seeing = {
    headers: {},
    body: { messages: [{ role: 'user', content: [{ type: 'text', text: 'see' }, image] }] },
  };
  it.each([
    'image input is not supported by this model',
    'This model does not support image_url',
    'Unknown part type: image_url',
  ])('are left out after "%s"', (objection) => {
    const decided = decideAdaptations(objection, seeing);
    expect(decided).toEqual([{ type: 'withoutImages' }]);
    const { body } = adapted(seeing, decided);
    expect(JSON.stringify(body)).not.toContain('base64');
    expect(JSON.stringify(body)).toContain('[an image, which this model cannot see]');
  });

  it('are kept when one of them is too large', () => {
    expect(decideAdaptations('messages.0.content.1.image: image exceeds 5 MB maximum', seeing)).toEqual([]);
  });
});

describe('plainestForm', () => {
  it.each([['Bad Request'], ['400 Bad Request'], ['invalid_request_error'], [''], ['Unprocessable Entity']])(
    'is for a refusal without a cause: "%s"',
    (message) => {
      expect(plainestForm(message, request)).toEqual([system, { type: 'withoutBeta' }]);
    },
  );

  it.each([['prompt is too long'], ['scripted trouble'], ['your credit balance is too low']])(
    'is not for one that names its cause: "%s"',
    (message) => {
      expect(plainestForm(message, request)).toEqual([]);
    },
  );
});

describe('adapted', () => {
  it('makes system messages reminders, joined to the user message before them, and drops their beta', () => {
    const { headers, body } = adapted(request, [system]);
    expect(headers).toEqual({ [BETA_HEADER]: 'context-1m-2025-08-07', 'x-api-key': 'k' });
    expect(body.messages).toMatchObject([
      {
        role: 'user',
        content: [{ text: 'hi' }, { text: '<system-reminder>\nthe date\n</system-reminder>' }],
      },
      { role: 'assistant' },
      { role: 'user' },
    ]);
  });

  it('leaves a field out of the protocol and never out of the content of a tool or model', () => {
    const { body } = adapted(request, [field('cache_control'), field('strict')]);
    expect(JSON.stringify(body.system)).not.toContain('cache_control');
    expect(JSON.stringify(body.messages)).toContain('"cache_control":"mine"');
    expect(body.tools).toEqual([{ name: 'X', description: 'd', input_schema: { properties: { strict: {} } } }]);
  });
});

describe('readObjection', () => {
  it.each<[body: string, message: string, text: RegExp]>([
    ['{"type":"error","error":{"type":"invalid_request_error","message":"no"}}', 'no', /invalid_request_error no/],
    ['{"error":"no such role"}', 'no such role', /no such role/],
    [
      '{"detail":[{"loc":["body","system",0,"cache_control"],"msg":"Extra","input":{"a":"my words"}}]}',
      'Extra',
      /^body system cache_control Extra$/,
    ],
    ['<html><head><title>400</title></head><body><h1>Bad Request</h1></body></html>', 'Bad Request', /^Bad Request$/],
    ['plain words', 'plain words', /plain words/],
    ['', '', /^$/],
  ])('reads %s', (body, message, text) => {
    const objection = readObjection(body);
    expect(objection.message).toBe(message);
    expect(objection.text).toMatch(text);
  });
});
