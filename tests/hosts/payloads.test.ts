import { describe, expect, it } from 'vitest';
import { hostNamed, hostOf, toolCallOf } from '../../src/hosts/all.ts';
import { codexToolCall } from '../../src/hosts/codex/host.ts';
import { copilotToolCall } from '../../src/hosts/copilot/host.ts';
import type { HostEvent } from '../support/hosts/hostDriver.ts';
import { recordedPayload } from '../support/hosts/payloads.ts';

const EVENTS: readonly HostEvent[] = [
  ...(['sessionStart', 'prompt', 'beforeTool', 'afterTool', 'toolFailure', 'stop', 'failure', 'sessionEnd'] as const),
];

describe.each([
  ['claude', 'claudeCode'],
  ['codex', 'codex'],
  ['copilot', 'copilot'],
  ['gemini', 'gemini'],
  ['qwen', 'qwen'],
] as const)('what %s sent', (flag, name) => {
  const known = EVENTS.flatMap((event) => {
    const payload = recordedPayload(flag, event);
    return payload === undefined ? [] : [[event, payload] as const];
  });

  it.each(known)('is recognized: %s', (_event, payload) => {
    expect(hostOf(payload, undefined).name).toBe(name);
  });

  it('names its shell like ours', () => {
    const payload = recordedPayload(flag, 'beforeTool');
    const call = toolCallOf(payload, hostOf(payload, undefined));
    expect(call).toMatchObject({ tool: 'Bash', input: { command: 'echo from-the-shell' } });
  });
});

it.each([
  ['gemini', 'replace', 'Edit'],
  ['gemini', 'list_directory', 'LS'],
  ['qwen', 'edit', 'Edit'],
  ['qwen', 'write_file', 'Write'],
  ['qwen', 'read_file', 'Read'],
])('knows what %s calls %s', (name, own, tool) => {
  const payload = { tool_name: own, tool_input: { file_path: '/p/a' } };
  expect(toolCallOf(payload, hostNamed(name))).toEqual({ tool, input: { file_path: '/p/a' } });
});

const PATCH = '*** Begin Patch\n*** Add File: a.txt\n+x\n*** Update File: b c.txt\n*** Move to: d.txt\n*** End Patch';
const FILES = ['a.txt', 'b c.txt', 'd.txt'];

it('knows the files of a patch, however it comes', () => {
  const shell = `apply_patch <<'EOF'\n${PATCH}\nEOF`;
  const call = { tool_name: 'Bash', tool_input: { command: shell } };
  expect(codexToolCall(call)).toEqual({ tool: 'Bash', input: { command: shell, file_paths: FILES } });
  const tool = { tool_name: 'apply_patch', tool_input: { command: PATCH } };
  expect(codexToolCall(tool)).toEqual({ tool: 'Edit', input: { file_paths: FILES } });
  const edit = { tool_name: 'Edit', tool_input: { input: PATCH } };
  expect(copilotToolCall(edit)).toEqual({ tool: 'Edit', input: { file_paths: FILES } });
});

it.each([
  [{ tool_name: 'Write', tool_input: { path: '/p/a', file_text: 'x' } }, 'Write', '/p/a'],
  [{ toolName: 'create', toolArgs: '{"path":"/p/a"}' }, 'Write', '/p/a'],
  [{ toolName: 'view', toolArgs: { path: '/p/a' } }, 'Read', '/p/a'],
])('knows the file of a call of Copilot CLI: %j', (payload, tool, file) => {
  expect(copilotToolCall(payload)).toMatchObject({ tool, input: { file_path: file } });
});
