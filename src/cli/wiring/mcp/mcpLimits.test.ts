import { expect, it } from 'vitest';
import { mcpLimits } from './mcpLimits.ts';

it('has the limits of Claude Code', () => {
  expect(mcpLimits({})).toEqual({ connectMs: 30_000, callMs: 100_000_000, maxCharacters: 100_000, warnings: [] });
  const env = { MCP_TIMEOUT: '500', MCP_TOOL_TIMEOUT: '9999999999', MAX_MCP_OUTPUT_TOKENS: ' 10 ' };
  expect(mcpLimits(env)).toEqual({ connectMs: 500, callMs: 2 ** 31 - 1, maxCharacters: 40, warnings: [] });
});

it.each(['0', '-1', 'soon', '1.5'])('warns about an invalid value: %s', (MCP_TIMEOUT) => {
  const { connectMs, warnings } = mcpLimits({ MCP_TIMEOUT });
  expect(connectMs).toBe(30_000);
  expect(warnings).toEqual([`MCP_TIMEOUT must be a whole number above 0, got "${MCP_TIMEOUT}"; using 30000.`]);
});
