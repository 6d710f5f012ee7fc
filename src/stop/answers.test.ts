import { expect, it } from 'vitest';
import type { Caller } from '../hosts/callers.ts';
import { type HookAnswer, printedAnswer } from './answers.ts';

const block: HookAnswer = { type: 'block', reason: 'r', notes: ['n'] };
const note: HookAnswer = { type: 'nothing', notes: ['a', 'b'] };
const context: HookAnswer = { type: 'context', event: 'PostToolUse', text: 't' };

it.each<[HookAnswer, Caller, string]>([
  [{ type: 'nothing' }, 'claudeCode', ''],
  [{ type: 'nothing' }, 'codex', ''],
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
])('%o to %s', (answer, caller, printed) => {
  expect(printedAnswer(answer, caller)).toBe(printed);
});
