// What a turn with one command hook records, in a process of its own; bundled, then run by `recordsChild.mjs`.
import { recordedEvidence } from '../../src/session/evidence/transcriptEvidence.ts';
import { briefReason, claimOf, recordEntry, redacted } from '../../src/stop/ledger.ts';
import { readSession } from '../../src/stop/readLedger.ts';
import { writeReceipt } from '../../src/stop/receipts/writeReceipt.ts';
import { systemClock } from '../../src/system/clock.ts';

const EVIDENCE = {
  ...{ commands: [], command_count: 0, files_changed: [], file_count: 0, last_edit_at: null, last_check: null },
  ...{ checked_after_last_edit: null, commands_since_check: 0 },
};

/** ms for the lines of a turn, and for a receipt, which only checked turns write at once. */
export function measureRecords(stopgateHome: string, env: Readonly<Record<string, string>>) {
  const subject = {
    session: 'bench',
    folder: '/p',
    agent: 'stopgate',
    hostPid: process.pid,
    launch: null,
    worker: null,
  };
  const record = (entry: Parameters<typeof recordEntry>[0]) =>
    recordEntry(entry, { stopgateHome, clock: systemClock, subject });
  const hook = {
    type: 'hook',
    event: 'Stop',
    hook: briefReason('true', env),
    source: 'settings.json:1',
    verdict: 'passed',
  } as const;
  const end = { type: 'end', scope: 'turn', ending: 'completed', reason: '', durationMs: 1, spend: null } as const;
  const startedAt = process.hrtime();
  record({ type: 'sessionStart', source: 'startup', ending: null });
  record({ ...hook, reason: briefReason('', env), durationMs: 3 });
  const evidence = recordedEvidence(EVIDENCE, (text) => redacted(text, env));
  record({ ...end, ...claimOf({ last_assistant_message: 'All done.' }, env), evidence });
  const linesMs = since(startedAt);
  const signedAt = process.hrtime();
  writeReceipt(stopgateHome, 'bench', readSession(stopgateHome, 'bench'));
  return { linesMs, receiptMs: since(signedAt) };
}

function since(startedAt: [number, number]): number {
  const [seconds, nanoseconds] = process.hrtime(startedAt);
  return seconds * 1e3 + nanoseconds / 1e6;
}
