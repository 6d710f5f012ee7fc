import { LONGEST_MS, numberReader } from '../sessionLimits.ts';

export const CONNECT_MS = 30_000;
/** As in Claude Code, a call may take more than a day by default; the SDK would end it after a minute. */
export const CALL_MS = 100_000_000;

export type McpLimits = ReturnType<typeof mcpLimits>;

const CHARACTERS_PER_TOKEN = 4;
const MAX_TOKENS = 25_000;

/** `MCP_TIMEOUT`, `MCP_TOOL_TIMEOUT` and `MAX_MCP_OUTPUT_TOKENS`, as in Claude Code. */
export function mcpLimits(env: Readonly<Record<string, string | undefined>>) {
  const warnings: string[] = [];
  const read = numberReader(env, warnings);
  const number = (name: string, usual: number) =>
    Math.min(read([name], { valid: /^[1-9]\d{0,9}$/, must: 'a whole number above 0', usual }), LONGEST_MS);
  return {
    /** For a server to start and list its tools. */
    connectMs: number('MCP_TIMEOUT', CONNECT_MS),
    callMs: number('MCP_TOOL_TIMEOUT', CALL_MS),
    maxCharacters: number('MAX_MCP_OUTPUT_TOKENS', MAX_TOKENS) * CHARACTERS_PER_TOKEN,
    warnings,
  };
}
