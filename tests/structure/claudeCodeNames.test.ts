import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS_KEYS } from '../../src/schemas/settings.ts';
import {
  IDLE_KEYS,
  IDLE_VARIABLES,
  SCREEN_KEYS,
  WORKING_KEYS,
  WORKING_VARIABLES,
} from '../../src/session/settings/claudeCodeNames.ts';

const SRC = path.join(import.meta.dirname, '../../src');
/** Where a name stands without anything being done with its value. */
const ONLY_NAMED =
  /claudeCodeNames\.ts$|schemas\/settings\.ts$|untrustedSettings\.ts$|environmentWarnings\.ts$|\.test\.ts$/;

const code = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !ONLY_NAMED.test(file))
  .map((file) => readFileSync(path.join(SRC, file), 'utf8'))
  .join('\n')
  .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

const isRead = (name: string) => new RegExp(`\\b${name}\\b`).test(code);

describe('what Claude Code reads', () => {
  it.each([...WORKING_KEYS])('the setting %s works, so something reads it', (key) => expect(isRead(key)).toBe(true));

  it.each([...WORKING_VARIABLES])('the variable %s works, so something reads it', (name) =>
    expect(isRead(name)).toBe(true),
  );

  it.each([...IDLE_VARIABLES])('the variable %s is said to be without effect, so nothing reads it', (name) => {
    const env = new RegExp(`(?:env\\.|env\\[')${name}\\b`);
    expect(env.test(code)).toBe(false);
  });

  it('is in one list each, and nothing that the schema knows is missing', () => {
    const keys = [...WORKING_KEYS, ...SCREEN_KEYS, ...IDLE_KEYS];
    expect(new Set(keys).size).toBe(keys.length);
    const variables = [...WORKING_VARIABLES, ...IDLE_VARIABLES];
    expect(new Set(variables).size).toBe(variables.length);
    expect(SETTINGS_KEYS.filter((key) => !keys.includes(key))).toEqual([]);
  });

  it('is in the documentation, name by name', () => {
    const page = readFileSync(path.join(SRC, '../docs/claude-code-settings.md'), 'utf8');
    const names = [...WORKING_KEYS, ...IDLE_KEYS, ...SCREEN_KEYS, ...WORKING_VARIABLES, ...IDLE_VARIABLES];
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
