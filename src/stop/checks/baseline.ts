import { hash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type BaselineEntry, baselineFile, type FailureSet } from '../../schemas/baseline.ts';
import { jsonValue } from '../../schemas/jsonValue.ts';
import type { SessionBaseline } from '../../schemas/sessionChecks.ts';
import { formatAgo } from '../../system/formatDuration.ts';
import { readSealedFile, writeSealedFile } from '../../system/sealedFile.ts';
import { compareFailures, countFailures } from './failureSet.ts';
import { repositoryOfWorktree } from './folderTrust.ts';
import { gatesFolder } from './memory.ts';
import type { Check, CheckResult, FailedCheck } from './types.ts';

/** What a person accepted in a folder. Agents cannot: `stopgate baseline` refuses them. */
export async function readBaseline(stopgateHome: string, folder: string): Promise<readonly BaselineEntry[]> {
  const read = await readSealedFile(stopgateHome, await fileOf(stopgateHome, folder));
  return (read.type === 'sealed' ? baselineFile.safeParse(jsonValue(read.text)).data : undefined) ?? [];
}

/** Whether something other than `stopgate baseline` wrote it. */
export const isBaselineForged = async (stopgateHome: string, folder: string): Promise<boolean> =>
  (await readSealedFile(stopgateHome, await fileOf(stopgateHome, folder))).type === 'changed';

export async function writeBaseline(
  stopgateHome: string,
  folder: string,
  entries: readonly BaselineEntry[],
): Promise<void> {
  await writeSealedFile(stopgateHome, await fileOf(stopgateHome, folder), JSON.stringify(entries, null, 2));
}

/** The same for all sessions in the folder, by whatever path, and in worktrees that Stopgate created of it. */
async function fileOf(stopgateHome: string, folder: string): Promise<string> {
  const origin = (await repositoryOfWorktree(folder, stopgateHome)) ?? folder;
  const real = await realpath(origin).catch(() => origin);
  return path.join(gatesFolder(stopgateHome, real), 'baseline.json');
}

/** What a check is, for its baseline: another command, folder or report was not accepted. */
export function checkIdentity({ file, args, cwd, folder, report }: Check): string {
  const what = JSON.stringify([file, args, path.relative(folder, cwd), report]);
  return hash('sha256', what).slice(0, 32);
}

export interface AcceptedFacts {
  readonly entries: readonly BaselineEntry[];
  /** What failed when the session began, of checks with `"baseline": "session"`. */
  readonly began: Readonly<Record<string, SessionBaseline>>;
  /** The wall clock. */
  readonly now: number;
}

interface Acceptance {
  readonly failures: FailureSet;
  readonly at: string;
  /** `accepted 4d ago: legacy suite` */
  readonly words: string;
}

/** A failed check as what was accepted makes it: accepted, or failed with only the new part to be shown. */
export function judgeFailure(failed: FailedCheck, facts: AcceptedFacts): CheckResult {
  const acceptances = acceptancesOf(failed.check, facts);
  const [first] = acceptances;
  if (first === undefined) return failed;
  const found = failed.found ?? 'it did not end by itself';
  for (const { failures, words } of acceptances) {
    const compared = compareFailures(failures, found);
    if (compared.type !== 'accepted') continue;
    const fewer = compared.fewer > 0 ? `, ${compared.fewer} fewer than accepted` : '';
    const count = typeof found === 'string' ? '' : countFailures(found);
    return { type: 'accepted', check: failed.check, words: `${count}${fewer}, ${words}`, ran: failed.ran };
  }
  const compared = compareFailures(first.failures, found);
  if (compared.type === 'unlike') {
    return { ...failed, how: `${failed.how}, which is not what was accepted (${compared.why})` };
  }
  const count = countFailures({ ...first.failures, items: compared.type === 'new' ? compared.items : [] });
  return {
    ...failed,
    how: `${failed.how}, with ${count} that ${isOne(count) ? 'is' : 'are'} not accepted`,
    accepted: first.failures,
  };
}

const isOne = (count: string) => count.startsWith('1 ');

/** The person's first. */
function acceptancesOf(check: Check, { entries, began, now }: AcceptedFacts): readonly Acceptance[] {
  const identity = checkIdentity(check);
  const ofPerson = entries
    .filter((entry) => entry.command === identity && entry.check === check.name && !isExpired(entry, now))
    .map(({ failures, at, reason }) => ({
      failures,
      at,
      words: `accepted ${formatAgo(Date.parse(at), now)}: ${reason ?? 'no reason given'}`,
    }));
  const start = check.baseline === 'session' ? began[identity] : undefined;
  if (start === undefined) return ofPerson;
  return [...ofPerson, { ...start, words: 'failed before this session began' }];
}

const isExpired = ({ expiresAt }: BaselineEntry, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now;

/** Why an entry accepts nothing any more: for the person, at a stop and in lists; null when it still counts. */
export function whyVoid(entry: BaselineEntry, checks: readonly Check[], now: number): string | null {
  if (isExpired(entry, now)) return `expired ${formatAgo(Date.parse(entry.expiresAt ?? ''), now)}`;
  const check = checks.find(({ name }) => name === entry.check);
  if (check === undefined) return 'there is no such check any more';
  return checkIdentity(check) === entry.command ? null : 'the command of the check changed';
}

/** For the person, about entries that no longer count although their check fails. */
export function voidNotes(results: readonly CheckResult[], { entries, now }: AcceptedFacts): readonly string[] {
  const failing = results.filter(({ type }) => type === 'failed' || type === 'advised').map(({ check }) => check);
  return entries.flatMap((entry) => {
    const check = failing.find(({ name }) => name === entry.check);
    const why = check && whyVoid(entry, [check], now);
    if (!why) return [];
    return [
      `Stopgate: the accepted failures of ${entry.check} no longer count: ${why}. \`stopgate baseline --check\` accepts what fails now.`,
    ];
  });
}
