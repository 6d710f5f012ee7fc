export const CONNECT_MS = 30_000;
/** As in Claude Code, a call may take more than a day by default; the SDK would end it after a minute. */
export const CALL_MS = 100_000_000;

export interface McpLimits {
  /** What a server may take to start and to list its tools. */
  readonly connectMs: number;
  readonly callMs: number;
  readonly maxCharacters: number;
  readonly warnings: readonly string[];
}

/** About four characters are one token. */
const CHARACTERS_A_TOKEN = 4;
const MAX_TOKENS = 25_000;
/** A timer takes no more than this. */
const LONGEST = 2 ** 31 - 1;

/** `MCP_TIMEOUT`, `MCP_TOOL_TIMEOUT` and `MAX_MCP_OUTPUT_TOKENS`, as Claude Code has them. */
export function mcpLimits(env: Readonly<Record<string, string | undefined>>): McpLimits {
  const warnings: string[] = [];
  const number = (name: string, byDefault: number) => {
    const text = (env[name] ?? '').trim();
    if (text === '') return byDefault;
    if (/^[1-9]\d{0,9}$/.test(text)) return Math.min(Number(text), LONGEST);
    warnings.push(`${name} must be a whole number above 0, got "${text}"; using ${byDefault}.`);
    return byDefault;
  };
  return {
    connectMs: number('MCP_TIMEOUT', CONNECT_MS),
    callMs: number('MCP_TOOL_TIMEOUT', CALL_MS),
    maxCharacters: number('MAX_MCP_OUTPUT_TOKENS', MAX_TOKENS) * CHARACTERS_A_TOKEN,
    warnings,
  };
}
