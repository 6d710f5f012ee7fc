import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS_KEYS } from '../../src/schemas/settings.ts';
import { IDLE_KEYS, IDLE_VARIABLES, list, SCREEN_KEYS } from '../../src/session/settings/claudeCodeNames.ts';

/** Read, and acted on. */
const WORKING_KEYS = list(`
  agent allowManagedHooksOnly allowedHttpHookUrls allowedMcpServers apiKeyHelper autoCompactEnabled deniedMcpServers
  disableAllHooks disabledMcpjsonServers effortLevel env hooks
  httpHookAllowedEnvVars model permissions sandbox statusLine
`);

/** Read, and acted on. */
const WORKING_VARIABLES = list(`
  ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL ANTHROPIC_CUSTOM_HEADERS ANTHROPIC_DEFAULT_HAIKU_MODEL
  ANTHROPIC_DEFAULT_OPUS_MODEL ANTHROPIC_DEFAULT_SONNET_MODEL ANTHROPIC_MODEL ANTHROPIC_SMALL_FAST_MODEL
  API_TIMEOUT_MS BASH_DEFAULT_TIMEOUT_MS BASH_MAX_OUTPUT_LENGTH BASH_MAX_TIMEOUT_MS
  CLAUDE_CODE_API_KEY_HELPER_TTL_MS CLAUDE_CODE_AUTO_COMPACT_WINDOW CLAUDE_CODE_DISABLE_BACKGROUND_TASKS
  CLAUDE_CODE_EFFORT_LEVEL CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION CLAUDE_CODE_MAX_CONTEXT_TOKENS
  CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS CLAUDE_CODE_MAX_OUTPUT_TOKENS CLAUDE_CODE_MAX_RETRIES
  CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS CLAUDE_CODE_STOP_HOOK_BLOCK_CAP
  CLAUDE_CONFIG_DIR CLAUDE_ENV_FILE CLAUDE_JOB_DIR HTTPS_PROXY HTTP_PROXY MAX_MCP_OUTPUT_TOKENS
  MCP_TIMEOUT MCP_TOOL_TIMEOUT NO_PROXY
`);

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
