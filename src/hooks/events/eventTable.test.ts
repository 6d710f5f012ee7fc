import { describe, expect, it } from 'vitest';
import { HOOK_INPUT_SCHEMAS } from '../../schemas/hookInputs.ts';
import { HOOK_EVENTS, type HookEventName } from '../types.ts';
import type { BlockEffect } from './eventRow.ts';
import { allEvents, eventFacts, findEvent } from './eventTable.ts';

// HOOK_PROTOCOL.md (a), typed again from the document: event, matcher, kinds, timeout in seconds, effect of a block,
// permission_mode (where it was measured, the measurement).
const FIVE = 'command http mcp_tool prompt agent';
const THREE = 'command http mcp_tool';
const TABLE: readonly [HookEventName, string | null, string, number, BlockEffect, boolean][] = [
  ['Stop', null, FIVE, 600, 'blocks', true],
  ['SubagentStop', 'agent_type', FIVE, 600, 'blocks', true],
  ['StopFailure', 'error', THREE, 600, 'ignored', false],
  ['TeammateIdle', null, FIVE, 600, 'blocks', true],
  ['TaskCreated', null, FIVE, 600, 'blocks', false],
  ['TaskCompleted', null, FIVE, 600, 'blocks', false],
  ['PreToolUse', 'tool_name', FIVE, 600, 'blocks', true],
  ['PostToolUse', 'tool_name', FIVE, 600, 'showsModel', true],
  ['PostToolUseFailure', 'tool_name', FIVE, 600, 'showsModel', true],
  ['PostToolBatch', null, FIVE, 600, 'ends', true],
  ['PermissionRequest', 'tool_name', 'command http mcp_tool prompt', 600, 'ignored', true],
  ['PermissionDenied', 'tool_name', FIVE, 600, 'ignored', true],
  ['UserPromptSubmit', null, FIVE, 30, 'blocks', true],
  ['UserPromptExpansion', 'command_name', FIVE, 600, 'blocks', true],
  ['SessionStart', 'source', 'command mcp_tool', 600, 'showsPerson', false],
  ['SessionEnd', 'reason', THREE, 1.5, 'showsPerson', false],
  ['Setup', 'trigger', 'command mcp_tool', 600, 'showsPerson', false],
  ['SubagentStart', 'agent_type', THREE, 600, 'showsPerson', false],
  ['InstructionsLoaded', 'load_reason', THREE, 600, 'ignored', false],
  ['Notification', 'notification_type', THREE, 600, 'ignored', false],
  ['MessageDisplay', null, THREE, 10, 'ignored', false],
  ['PreCompact', 'trigger', THREE, 600, 'blocks', false],
  ['PostCompact', 'trigger', THREE, 600, 'showsPerson', false],
  ['PreModelSwitch', 'to_model', THREE, 30, 'blocks', false],
  ['PostModelSwitch', 'to_model', THREE, 30, 'showsPerson', false],
  ['ConfigChange', 'source', THREE, 600, 'blocks', false],
  ['CwdChanged', null, THREE, 600, 'showsPerson', false],
  ['FileChanged', 'file_path', THREE, 600, 'showsPerson', false],
  ['DirectoryAdded', 'source', THREE, 600, 'ignored', false],
  ['WorktreeCreate', null, THREE, 600, 'blocks', false],
  ['WorktreeRemove', null, THREE, 600, 'blocks', false],
  ['Elicitation', 'mcp_server_name', THREE, 600, 'blocks', true],
  ['ElicitationResult', 'mcp_server_name', THREE, 600, 'blocks', true],
];

const named = (test: (name: HookEventName) => boolean) => HOOK_EVENTS.filter(test).sort();

describe('the table of events', () => {
  it('has a row, an input schema and a line in this test for each of the 33 events', () => {
    expect(HOOK_EVENTS).toHaveLength(33);
    expect(
      allEvents()
        .map((row) => row.name)
        .sort(),
    ).toEqual([...HOOK_EVENTS].sort());
    expect(Object.keys(HOOK_INPUT_SCHEMAS).sort()).toEqual([...HOOK_EVENTS].sort());
    expect(TABLE.map(([name]) => name).sort()).toEqual([...HOOK_EVENTS].sort());
    expect(findEvent('Stopp')).toBeUndefined();
  });

  it.each(TABLE)(
    '%s: matcher %s, kinds %s, %d s, a block %s, permission_mode %s',
    (name, field, kinds, seconds, effect, mode) => {
      const row = eventFacts(name);
      expect(row.matcherField).toBe(field);
      expect(row.kinds.join(' ')).toBe(kinds);
      expect(row.timeoutMs).toBe(seconds * 1000);
      expect(row.onBlock).toBe(effect);
      expect(row.hasPermissionMode).toBe(mode);
    },
  );

  it('looks at `if` on the five tool events only', () => {
    expect(named((name) => eventFacts(name).evaluatesIf)).toEqual([
      'PermissionDenied',
      'PermissionRequest',
      'PostToolUse',
      'PostToolUseFailure',
      'PreToolUse',
    ]);
  });

  it('takes plain output as context on four events', () => {
    expect(named((name) => eventFacts(name).plainStdout === 'context')).toEqual([
      'PostModelSwitch',
      'SessionStart',
      'UserPromptExpansion',
      'UserPromptSubmit',
    ]);
  });

  it('gives an environment file to four events', () => {
    expect(named((name) => eventFacts(name).hasEnvFile)).toEqual([
      'CwdChanged',
      'FileChanged',
      'SessionStart',
      'Setup',
    ]);
  });

  it('lets `onFailure` alone on the events where a failing gate must not wedge a turn', () => {
    expect(named((name) => !eventFacts(name).honorsOnFailure)).toEqual([
      'Stop',
      'SubagentStop',
      'TaskCompleted',
      'TeammateIdle',
    ]);
  });

  it('does not let a hook veto managed settings', () => {
    expect(eventFacts('ConfigChange').canBlock({ source: 'policy_settings' })).toBe(false);
    expect(eventFacts('ConfigChange').canBlock({ source: 'user_settings' })).toBe(true);
  });
});
