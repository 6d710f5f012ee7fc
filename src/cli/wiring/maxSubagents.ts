const DEFAULT = 20;
const VARIABLE = 'CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS';

/** How many subagents run side by side, as Claude Code names it; its default, too. */
export function maxSubagents(env: Readonly<Record<string, string>>): { max: number; warning?: string } {
  const value = (env[VARIABLE] ?? '').trim();
  if (value === '') return { max: DEFAULT };
  if (/^[1-9]\d{0,3}$/.test(value)) return { max: Number(value) };
  return { max: DEFAULT, warning: `${VARIABLE} is '${value}', which is not a whole number above 0; using ${DEFAULT}.` };
}
