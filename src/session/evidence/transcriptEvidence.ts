import { type Evidence, evidenceLine, evidence as evidenceSchema } from '../../schemas/evidence.ts';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { readLastLinesSync } from '../../system/readTextFile.ts';
import { type EvidenceLine, evidenceOf } from './evidenceOf.ts';

/** From the end; a turn that is longer is read in part, and that is shown. */
const MOST_BYTES = 8_000_000;

/** What the turn did, by the transcript that a host names; null when none can be read. */
export function transcriptEvidence(file: unknown): Evidence | null {
  if (typeof file !== 'string') return null;
  const read = readLastLinesSync(file, MOST_BYTES);
  if (read.type !== 'read') return null;
  const lines = read.text.split('\n').flatMap(lineIn);
  if (lines.length === 0) return null;
  return { ...evidenceOf(lines), ...(read.cut && { cut: true }) };
}

function lineIn(line: string): readonly EvidenceLine[] {
  // cheap first: most of a transcript is something else
  if (!line.includes('"message"')) return [];
  const read = evidenceLine.safeParse(jsonValue(line));
  return read.success ? [read.data] : [];
}

const RECORDED_COMMANDS = 10;
const RECORDED_FILES = 20;

/** A summary for the ledger, without secrets. */
export function recordedEvidence(evidence: Evidence, redact: (text: string) => string): Evidence {
  const clean = <Of extends { readonly command: string }>(one: Of): Of => {
    return { ...one, command: redact(one.command) };
  };
  return {
    ...evidence,
    commands: evidence.commands.slice(-RECORDED_COMMANDS).map(clean),
    files_changed: evidence.files_changed.slice(0, RECORDED_FILES),
    last_check: evidence.last_check && clean(evidence.last_check),
  };
}

interface EvidencePayload {
  readonly transcript_path?: unknown;
  /** Our own agent has counted already. */
  readonly evidence?: unknown;
}

/** For the record of a stop; null when nothing is known. */
export function evidenceOfPayload(
  { transcript_path: file, evidence }: EvidencePayload,
  redact: (text: string) => string,
): Evidence | null {
  const given = evidenceSchema.safeParse(evidence);
  const found = given.success ? given.data : transcriptEvidence(file);
  return found && recordedEvidence(found, redact);
}
