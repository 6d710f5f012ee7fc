/** What a tool call asks for, as hooks see it. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };
/** `sleep 20m`, `timeout -k 5 30m make`: commands that say themselves how long they take. */
const WAITS = /(?:^|[;&|\n(]\s*)(?:sleep|timeout(?:\s+-\S+(?:\s+\d+[smhd]?)?)*)\s+(\d+(?:\.\d+)?)([smhd]?)(?![\w.])/g;

/** How long a call says it may take, in seconds; null when it does not say. */
export function askedSeconds({ tool, input }: ToolCall): number | null {
  if (tool !== 'Bash') return null;
  const { timeout, command } = input;
  const asked = typeof timeout === 'number' && timeout > 0 ? [timeout / 1000] : [];
  const written = typeof command === 'string' ? [...command.matchAll(WAITS)] : [];
  const waits = written.map(([, amount, unit]) => Number(amount) * (SECONDS[unit ?? ''] ?? 1));
  const all = [...asked, ...waits];
  return all.length === 0 ? null : Math.max(...all);
}
