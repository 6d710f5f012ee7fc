import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { sessionActivity } from './sessionActivity.ts';

const said = { type: 'assistant', message: { content: [{ type: 'text', text: 'x' }] } };
const edits = { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Edit', input: {} }] } };
const asked = { type: 'user', message: { role: 'user', content: 'x' } };

it.each<[string, string, readonly object[]]>([
  ['none', 'nothing yet', []],
  ['none', 'only words', [asked, said]],
  ['some', 'an edit', [asked, edits]],
  ['unknown', 'Codex', [{ type: 'response_item', payload: { type: 'function_call', name: 'exec_command' } }]],
  ['unknown', 'Copilot CLI', [{ type: 'tool.execution_start', data: { toolName: 'create' } }]],
  ['unknown', 'Qwen Code', [{ type: 'assistant', message: { role: 'model', parts: [{ functionCall: {} }] } }]],
  ['unknown', 'pi', [{ type: 'message', message: { role: 'assistant', content: [{ type: 'toolCall' }] } }]],
])('is %s by a transcript with %s', async (activity, _what, lines) => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 't.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(sessionActivity({ transcript_path: file })).toBe(activity);
});
