import type { Gate, StopRequest, Verdict } from '../gate/types.ts';

/** What every adapter takes beside the gate. */
export interface AdapterOptions {
  /** Called with every verdict, before the loop goes on or ends: the place to read `ending`, `proven` and `evidence`. */
  readonly onVerdict?: (verdict: Verdict) => void;
  /** Called when the loop's own limits get in the way of the gate. Default: a warning of the process. */
  readonly onWarning?: (warning: string) => void;
}

/** Loops hide or swallow what a callback throws, so a failure is answered by `onFailure` of the gate before they see it. */
export async function askVerdict(gate: Gate, stop: StopRequest, options: AdapterOptions): Promise<Verdict> {
  const verdict = await gate.mayStop(stop).catch((error: unknown) => gate.noVerdict(error));
  options.onVerdict?.(verdict);
  return verdict;
}

/** Words each warning once per adapter, because a loop meets its limit at every step. */
export function warnOnce({ onWarning = processWarning }: AdapterOptions): (warning: string) => void {
  const worded = new Set<string>();
  return (warning) => {
    if (worded.has(warning)) return;
    worded.add(warning);
    onWarning(warning);
  };
}

function processWarning(warning: string): void {
  process.emitWarning(warning, 'StopgateWarning');
}
