import { expect, it } from 'vitest';
import { hostNamed, printed } from './all.ts';
import type { HookAnswer } from './host.ts';

const block: HookAnswer = { type: 'block', reason: 'r', notes: ['n'] };
const note: HookAnswer = { type: 'pass', notes: ['a', 'b'] };
const context: HookAnswer = { type: 'context', event: 'PostToolUse', text: 't' };

it.each<[HookAnswer, string, string]>([
  [{ type: 'pass', notes: [] }, 'claudeCode', ''],
  [{ type: 'pass', notes: [] }, 'codex', ''],
  [block, 'codex', '{"decision":"block","reason":"r"}\n'],
  [block, 'unknown', '{"decision":"block","reason":"r"}\n'],
  [block, 'claudeCode', '{"decision":"block","reason":"r","systemMessage":"n"}\n'],
  [note, 'claudeCode', '{"systemMessage":"a\\nb"}\n'],
  [note, 'gemini', ''],
  [context, 'claudeCode', '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"t"}}\n'],
  [context, 'copilot', '{"additionalContext":"t"}\n'],
  [
    { type: 'deny', reason: 'r' },
    'claudeCode',
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}\n',
  ],
  [{ type: 'deny', reason: 'r' }, 'gemini', '{"decision":"deny","reason":"r"}\n'],
])('%o to %s', (answer, name, text) => {
  expect(printed(hostNamed(name), answer)).toBe(text);
});
