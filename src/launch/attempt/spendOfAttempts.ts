import type { Spend } from '../../hosts/host.ts';
import type { AttemptDetails, Lease, Store } from '../../store/types.ts';

type Total = () => Spend | null;

const NOTHING: Spend = { outputTokens: 0, usd: 0 };
/** Each report is an event; an agent may work for hours. */
const REPORT_EVERY_MS = 5 * 60_000;

/**
 * Divides what one agent spends among the attempts that it works on. The worker sees at its next heartbeat that the agent went on to
 * another task, so what was spent in between counts for the one before.
 */
export function spendOfAttempts(store: Store, now: () => number) {
  let total: Total = () => null;
  let current: { readonly lease: Lease; readonly from: Spend } | null = null;
  let reported = { tokens: 0, at: 0 };
  const details = (): AttemptDetails => {
    const spend = total();
    if (current === null || spend === null) return {};
    const { outputTokens, usd } = current.from;
    const costUsd = spend.usd === null ? {} : { costUsd: spend.usd - (usd ?? 0) };
    return { tokens: spend.outputTokens - outputTokens, ...costUsd };
  };
  const report = async () => {
    const spent = details();
    if (current === null || !spent.tokens || spent.tokens === reported.tokens) return;
    reported = { tokens: spent.tokens, at: now() };
    const { workerId, incarnation } = current.lease;
    await store.heartbeat({ workerId, incarnation, lease: current.lease, details: spent });
  };
  const begin = (lease: Lease, from: Spend) => {
    current = { lease, from };
    reported = { tokens: 0, at: now() };
  };
  return {
    /** Of the attempt that the agent works on now. */
    details,
    /** A new agent begins. */
    start: (lease: Lease, spent: Total) => {
      total = spent;
      begin(lease, NOTHING);
    },
    /** What the worker holds at a heartbeat. */
    holds: async (lease: Lease | null) => {
      if (lease?.attemptId === current?.lease.attemptId) {
        if (now() - reported.at >= REPORT_EVERY_MS) await report();
        return;
      }
      await report();
      if (lease !== null) begin(lease, total() ?? NOTHING);
    },
    /** The agent is gone. */
    end: async () => {
      await report();
      current = null;
    },
  };
}
