import { expect, it } from 'vitest';
import { hostOf } from './all.ts';

const claude = { session_id: 's', transcript_path: '/h/.claude/x.jsonl', cwd: '/p', hook_event_name: 'Stop' };

it.each<[string, object]>([
  ['claudeCode', { ...claude, prompt_id: 'p', stop_hook_active: false, background_tasks: [], session_crons: [] }],
  ['claudeCode', claude],
  ['stopgate', { ...claude, transcript_path: '/h/.stopgate/projects/x.jsonl' }],
  ['codex', { ...claude, turn_id: 't', model: 'm', permission_mode: 'bypassPermissions' }],
  ['gemini', { ...claude, hook_event_name: 'AfterAgent', prompt: 'x', prompt_response: 'y', timestamp: '2026' }],
  ['gemini', { ...claude, hook_event_name: 'AfterTool', timestamp: '2026' }],
  ['qwen', { ...claude, crons: [], context_usage: {} }],
  ['copilot', { ...claude, timestamp: '2026', stop_reason: 'end_turn' }],
  ['cursor', { ...claude, cursor_version: '3.7' }],
  ['opencode', { ...claude, plugin_host: 'opencode' }],
  ['pi', { ...claude, plugin_host: 'pi' }],
  ['unknown', {}],
])('knows %s by what it sends', (caller, payload) => {
  expect(hostOf({ ...payload }, undefined).name).toBe(caller);
});

it.each<[string, string, string]>([
  ['stopgate', '/data/sg', '/data/sg/projects/p/x.jsonl'],
  ['stopgate', '/data/sg/', '/data/sg/projects/p/x.jsonl'],
  ['stopgate', '/data/sg', '/h/.stopgate/projects/p/x.jsonl'],
  ['claudeCode', '/data/sg', '/h/.claude/projects/p/x.jsonl'],
  ['claudeCode', '/data/sg', '/data/sg2/projects/p/x.jsonl'],
  ['claudeCode', '/h', '/h/.claude/projects/p/x.jsonl'],
])('knows %s with STOPGATE_HOME=%s by a transcript at %s', (caller, home, transcript_path) => {
  expect(hostOf({ ...claude, transcript_path }, home).name).toBe(caller);
});
