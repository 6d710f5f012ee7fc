const DEFAULT_CAP = 8;
const VARIABLES = ['STOPGATE_STOP_HOOK_BLOCK_CAP', 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'];

/** How many blocked stops in a row are obeyed; 0 for all. A value that is no number is said and passed over. */
export function stopHookBlockCap(env: Readonly<Record<string, string>>): { cap: number; warning?: string } {
  const name = VARIABLES.find((variable) => (env[variable] ?? '') !== '');
  if (name === undefined) return { cap: DEFAULT_CAP };
  const value = (env[name] ?? '').trim();
  if (/^\d{1,6}$/.test(value)) return { cap: Number(value) };
  return { cap: DEFAULT_CAP, warning: `${name} is '${value}', which is not a whole number; using ${DEFAULT_CAP}.` };
}
