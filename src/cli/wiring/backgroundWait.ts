const DEFAULT_MS = 600_000;
const VARIABLES = ['STOPGATE_BG_WAIT_CEILING_MS', 'CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS'];

/** How long `-p` waits for background tasks after its answer; 0 waits without limit. */
export function backgroundWait(env: Readonly<Record<string, string>>): { waitMs: number; warning?: string } {
  const name = VARIABLES.find((variable) => (env[variable] ?? '') !== '');
  if (name === undefined) return { waitMs: DEFAULT_MS };
  const value = (env[name] ?? '').trim();
  // a timer takes no more than this
  if (/^\d{1,10}$/.test(value)) return { waitMs: Math.min(Number(value), 2 ** 31 - 1) };
  return { waitMs: DEFAULT_MS, warning: `${name} must be a whole number of milliseconds, got "${value}"; using 10m.` };
}
