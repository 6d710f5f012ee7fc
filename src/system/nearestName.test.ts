import { expect, it } from 'vitest';
import { HOOK_EVENTS } from '../schemas/hookEventNames.ts';
import { nearestName } from './nearestName.ts';

it.each([
  ['Stopp', 'Stop'],
  ['stop', 'Stop'],
  ['STOP', 'Stop'],
  ['SubAgentStop', 'SubagentStop'],
  ['pre_tool_use', 'PreToolUse'],
  ['PreToolsUse', 'PreToolUse'],
  ['UserPromtpSubmit', 'UserPromptSubmit'],
  ['Sotp', 'Stop'],
  ['Bananas', undefined],
  ['x', undefined],
  ['', undefined],
  ['S'.repeat(10_000), undefined],
])('%j is near %s', (name, nearest) => {
  expect(nearestName(name, HOOK_EVENTS)).toBe(nearest);
});
