import { describe, expect, it } from 'vitest';
import { allTools } from './allTools.ts';
import { parseToolInput } from './parseInput.ts';
import type { Tool } from './tool.ts';
import { toolDefinition } from './toolDefinition.ts';

function named(name: string): Tool {
  return allTools().find((tool) => tool.name === name) ?? expect.unreachable(name);
}

describe('allTools', () => {
  it('has the names that hooks know', () => {
    expect(allTools().map((tool) => tool.name)).toEqual([
      ...['Bash', 'BashOutput', 'KillShell', 'Read', 'Write', 'Edit', 'NotebookEdit', 'Glob', 'Grep'],
      ...['Agent', 'TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet'],
    ]);
  });

  it('marks those that never change anything', () => {
    const input = { command: '' };
    const readOnly = allTools().filter((tool) => tool.isReadOnly(input));
    expect(readOnly.map((tool) => tool.name)).toEqual(['BashOutput', 'Read', 'Glob', 'Grep', 'TaskList', 'TaskGet']);
  });
});

describe('toolDefinition', () => {
  it('is a plain JSON schema, made once', () => {
    const definition = toolDefinition(named('Bash'));
    expect(toolDefinition(named('Bash'))).toBe(definition);
    expect(definition.inputSchema).toMatchObject({
      type: 'object',
      required: ['command'],
      additionalProperties: false,
      properties: { command: { type: 'string' }, timeout: { type: 'number' } },
    });
    expect('$schema' in definition.inputSchema).toBe(false);
  });

  it.each(allTools().map((tool) => [tool.name, tool] as const))('describes every parameter of %s', (_name, tool) => {
    const { properties } = toolDefinition(tool).inputSchema as { properties: Record<string, { description?: string }> };
    for (const [name, property] of Object.entries(properties))
      expect([name, property.description]).not.toContain(undefined);
  });
});

describe('parseToolInput', () => {
  it('passes what fits', () => {
    expect(parseToolInput(named('Bash'), { command: 'ls' })).toEqual({ type: 'ok', input: { command: 'ls' } });
  });

  it.each([
    ['Bash', {}, 'issue:\nThe required parameter `command` is missing'],
    ['Bash', { command: 1 }, 'issue:\nThe parameter `command` type is expected as `string` but provided as `number`'],
    ['Bash', { command: 'x', cmd: 'y' }, 'issue:\nAn unexpected parameter `cmd` was provided'],
    ['Bash', 'ls', 'issue:\nThe parameter `input` type is expected as `object` but provided as `string`'],
    ['Bash', undefined, 'issue:\nThe required parameter `input` is missing'],
    [
      'TaskUpdate',
      { addBlocks: [1] },
      'issues:\nThe required parameter `taskId` is missing\nThe parameter `addBlocks.0` type is expected as `string` but provided as `number`',
    ],
  ])('reports what does not fit %s in %j', (name, input, issues) => {
    const message = `InputValidationError: ${name} failed due to the following ${issues}`;
    expect(parseToolInput(named(name), input)).toEqual({ type: 'invalid', message });
  });
});
