import type { SpendFacts } from '../../../schemas/ledger.ts';
import type { Receipt } from '../../../schemas/receipt.ts';
import { formatDuration } from '../../../system/formatDuration.ts';
import { formatTokens } from '../../../system/formatTokens.ts';
import { ownValue } from '../../../system/ownValue.ts';

/** What both forms of a receipt say, in the same words and order. */

/** A part below the facts; one without lines and quote is left out. */
interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  /** Words of the agent, as they are. */
  readonly quote?: string | null;
}

export function sectionsOf(receipt: Receipt): readonly Section[] {
  const { checks, notProven, waivers, claim } = receipt;
  const sections: readonly Section[] = [
    { title: 'Checks', lines: checks.map((check) => `${check.name}: ${describeCheck(check)}`) },
    { title: 'Judge', lines: describeJudge(receipt) },
    { title: 'Not proven', lines: notProven },
    {
      title: 'Waived by a person',
      lines: waivers.map(({ check, reason, by, at }) => `${check}: ${reason} (${by}, ${at})`),
    },
    { title: 'Claim of the agent', lines: [], quote: claim },
    { title: 'What the agent ran', lines: describeEvidence(receipt) },
    { title: 'Earlier stops', lines: describeEarlier(receipt) },
  ];
  return sections.filter(({ lines, quote = null }) => lines.length > 0 || quote !== null);
}

export function titleOf({ isProven, outcome, notProven }: Receipt): string {
  if (isProven && outcome === 'advised') return 'Proven: every check that can block passed';
  if (isProven) return notProven.length === 0 ? 'Proven: every check passed' : 'Proven, with exceptions';
  return `Not proven: ${outcome}`;
}

/** `exit 0 after 2.5s at 10:04:00Z`, or why it did not run. */
function describeCheck({ outcome, exitCode, durationMs, endedAt, waived }: Receipt['checks'][number]): string {
  const ran =
    endedAt === null
      ? (ownValue(NOT_RUN, outcome) ?? 'did not run at this stop')
      : `${exitCode === null ? 'did not exit' : `exit ${exitCode}`} after ${formatDuration(durationMs ?? 0)}, ${endedAt}`;
  return waived === undefined ? ran : `${ran}; accepted by a person: ${waived}`;
}

const JUDGED = { ok: 'ok', rejected: 'rejected', none: 'no verdict' } as const;

/** A model's opinion, apart from what was measured. */
function describeJudge({ judge }: Receipt): readonly string[] {
  if (judge === undefined) return [];
  const { verdict, reason, model, criteria, notShown, inputTokens, outputTokens, requests, usd } = judge;
  const cost = usd === null ? 'unknown cost' : `$${usd.toFixed(4)}`;
  const asked = `${formatTokens(inputTokens)} tokens in, ${formatTokens(outputTokens)} out, ${cost}, ${requests} request${requests === 1 ? '' : 's'}`;
  return [
    `${JUDGED[verdict]}${reason === '' ? '' : `: ${reason}`}`,
    `asked: ${model === null ? 'no model was reached' : `${model}, ${asked}`}`,
    ...criteria.map((one) => `criteria: ${one}`),
    ...(notShown.length === 0 ? [] : [`not shown to it: ${notShown.join(', ')}`]),
  ];
}

const NOT_RUN: Readonly<Record<string, string>> = {
  remembered: 'passed earlier on exactly these files',
  nothingChanged: 'not run: nothing changed',
  changedByOthers: 'not run: another session or a person changed the files',
  outOfTime: 'not run: no time was left',
  failed: 'failed',
};

export function describeSpend(spend: SpendFacts | null): string {
  if (spend === null) return 'not known';
  const { usd, outputTokens, requests, estimatedRequests, bySource = {} } = spend;
  const cost = usd === null ? 'unknown cost' : `$${usd.toFixed(4)}`;
  const parts = Object.entries(bySource).filter(([, part]) => part > 0);
  const sources = parts.length > 1 ? ` (${parts.map(([name, part]) => `${name} $${part.toFixed(4)}`).join(', ')})` : '';
  const asked = requests ? `, ${requests} request${requests === 1 ? '' : 's'}` : '';
  const estimated = estimatedRequests ? `, ${estimatedRequests} of them estimated` : '';
  return `${cost}${sources}, ${formatTokens(outputTokens)} tokens out${asked}${estimated}`;
}

export function describeTree({ tree }: Receipt): readonly (readonly [string, string])[] {
  if (tree === null) return [];
  const { head, startCommit, diffSha256, digest, files, fileCount } = tree;
  const more = fileCount > files.length ? ` and ${fileCount - files.length} more` : '';
  // without a start, only what is not committed is known
  const nothing = startCommit === null ? 'not known' : 'nothing';
  return [
    ['HEAD', head ?? 'none'],
    ['Started at', startCommit ?? 'not known'],
    ['Diff since', diffSha256 === null ? 'not known' : `sha256 ${diffSha256}`],
    ['Files', `digest ${digest}`],
    ['Changed', fileCount === 0 ? nothing : `${fileCount}: ${files.join(', ')}${more}`],
  ];
}

/** What the agent itself ran. */
function describeEvidence({ evidence }: Receipt): readonly string[] {
  if (evidence === null) return [];
  const { command_count, file_count, last_check, checked_after_last_edit: after } = evidence;
  const done = `${command_count} command${command_count === 1 ? '' : 's'}, ${file_count} file${file_count === 1 ? '' : 's'} edited`;
  if (last_check === null) return [`${done}; no command of its own looks like a check`];
  const code = last_check.exit_code === null ? 'exit code not known' : `exit ${last_check.exit_code}`;
  const hidden = last_check.exit_code_is_its_own ? '' : ", which is not the check's own";
  const when = after === null ? '' : after ? ', after the last edit' : ', before the last edit';
  return [`${done}; last check of its own: ${last_check.command} (${code}${hidden}${when})`];
}

export function describeWho({ agent, session, launch, worker }: Receipt): string {
  const by = [launch && `launch ${launch}`, worker && `worker ${worker}`].filter(Boolean).join(', ');
  return `${agent}, session ${session}${by && `, ${by}`}`;
}

/** Stops before the last one. */
function describeEarlier({ stops, stopCount }: Receipt): readonly string[] {
  const earlier = stops
    .slice(0, -1)
    .map(({ at, reason, durationMs }) => `${at}  ${reason} (${formatDuration(durationMs)})`);
  const hidden = stopCount - stops.length;
  return hidden > 0 ? [`${hidden} earlier ones are not listed`, ...earlier] : earlier;
}
