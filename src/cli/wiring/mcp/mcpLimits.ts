export const CONNECT_MS = 30_000;
/** As in Claude Code, a call may take more than a day by default; the SDK would end it after a minute. */
export const CALL_MS = 100_000_000;

export interface McpLimits {
  /** For a server to start and list its tools. */
  readonly connectMs: number;
  readonly callMs: number;
  readonly maxCharacters: number;
  readonly warnings: readonly string[];
}

const CHARACTERS_PER_TOKEN = 4;
const MAX_TOKENS = 25_000;
/** The longest possible timer. */
const LONGEST = 2 ** 31 - 1;

/** `MCP_TIMEOUT`, `MCP_TOOL_TIMEOUT` and `MAX_MCP_OUTPUT_TOKENS`, as in Claude Code. */
export function mcpLimits(env: Readonly<Record<string, string | undefined>>): McpLimits {
  const warnings: string[] = [];
  const number = (name: string, usual: number) => {
    const text = (env[name] ?? '').trim();
    if (text === '') return usual;
    if (/^[1-9]\d{0,9}$/.test(text)) return Math.min(Number(text), LONGEST);
    warnings.push(`${name} must be a whole number above 0, got "${text}"; using ${usual}.`);
    return usual;
  };
  return {
    connectMs: number('MCP_TIMEOUT', CONNECT_MS),
    callMs: number('MCP_TOOL_TIMEOUT', CALL_MS),
    maxCharacters: number('MAX_MCP_OUTPUT_TOKENS', MAX_TOKENS) * CHARACTERS_PER_TOKEN,
    warnings,
  };
}
