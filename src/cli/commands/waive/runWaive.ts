import type { LedgerEntry } from '../../../schemas/ledger.ts';
import type { Waiver } from '../../../schemas/waiver.ts';
import { attemptRecordOf } from '../../../stop/attemptRecord.ts';
import { recordEntry, subjectFrom } from '../../../stop/ledger.ts';
import { readSession } from '../../../stop/readLedger.ts';
import { readStart } from '../../../stop/startFile.ts';
import { addWaiver, readWaivers } from '../../../stop/waivers.ts';
import { wallNow } from '../../../system/clock.ts';
import { terminalText } from '../../../system/terminalText.ts';
import { UserError } from '../../../system/userError.ts';
import { userName } from '../../../system/userName.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { printResult } from '../../output/printResult.ts';
import { visibleText } from '../../output/visibleText.ts';
import { oneSession } from '../../wiring/oneSession.ts';
import type { Flags } from '../task/taskOptions.ts';
import { adviceForTask } from '../why/advice.ts';

type WaiveOptions = Flags<'check' | 'reason', 'json'>;

/** `stopgate waive`: what a person accepts in one session. */
export async function runWaive(wanted: string, { check, reason, json = false }: WaiveOptions): Promise<number> {
  const world = thisWorld();
  const { session, checks, failing, subject } = findGateSession(wanted, world);
  if (check !== undefined) {
    if (reason === undefined || reason.trim() === '') {
      throw new UserError('Give the reason with --reason TEXT; it is kept with the session.');
    }
    const record = subject === undefined ? null : attemptRecordOf(subject);
    if (record !== null) {
      const why = `${session} is the record of an attempt that is over, so a waiver would have no effect.`;
      throw new UserError(`${why} ${adviceForTask(record, check)}`);
    }
    if (!checks.includes(check)) {
      throw new UserError(`The session ${session} has no check "${check}"; it has ${checks.join(', ')}.`);
    }
    const at = new Date(wallNow(world.clock)).toISOString();
    const waiver = { check, reason: reason.trim(), by: userName() };
    await addWaiver(world.stopgateHome, session, { ...waiver, at });
    const failure = subject && recordEntry({ type: 'waiver', ...waiver }, { ...world, subject: subjectFrom(subject) });
    if (failure) process.stderr.write(terminalText(`${failure}\n`));
  }
  const waived = await readWaivers(world.stopgateHome, session);
  const found = { session, checks, failing, waived };
  return printResult(json ? found : null, world, (page) => `${page.block(visibleText(waiversText(found)), 0)}\n`);
}

interface GateSession {
  readonly session: string;
  readonly checks: readonly string[];
  /** At its last stop. */
  readonly failing: readonly string[];
  /** Its last line in the ledger. */
  readonly subject: LedgerEntry | undefined;
}

/** By the whole id or the start of it, among the sessions on record. */
function findGateSession(wanted: string, { stopgateHome }: World): GateSession {
  const session = oneSession(wanted, stopgateHome);
  const entries = readSession(stopgateHome, session);
  const last = entries.findLast((one) => one.type === 'stop')?.ending.checks ?? [];
  const start = readStart(stopgateHome, session)?.checks ?? [];
  const failing = last.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
  const subject = entries.at(-1);
  return { session, checks: [...new Set([...start, ...last.map(({ name }) => name)])], failing, subject };
}

function waiversText({
  session,
  checks,
  failing,
  waived,
}: Omit<GateSession, 'subject'> & { readonly waived: readonly Waiver[] }): string {
  const lines = waived.map(({ check, reason, at, by }) => `Waived: ${check} (${reason}), by ${by} at ${at}.`);
  const open = failing.filter((name) => !waived.some(({ check }) => check === name));
  return [
    `Session ${session}: ${checks.join(', ') || 'no checks'}.`,
    ...lines,
    ...(open.length === 0 ? [] : [`Failed at its last stop: ${open.join(', ')}.`]),
    ...(lines.length + open.length === 0 ? ['Nothing is waived, and nothing failed at its last stop.'] : []),
  ].join('\n');
}
