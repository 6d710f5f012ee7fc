import type { TrustedContent, TrustedFile, TrustRecord } from '../../schemas/trust.ts';

/** Enough for the branches that a person works on; an older one is asked about again. */
export const MOST_APPROVALS = 8;

export interface Approval {
  /** ISO 8601. */
  readonly trustedAt: string;
  readonly content: TrustedContent;
}

/** All that a person approved of a folder, the latest first. None for a record of an older version. */
export function approvalsOf({ trustedAt, content, earlier = [] }: TrustRecord): readonly Approval[] {
  return content === undefined ? [] : [{ trustedAt, content }, ...earlier];
}

/** The record with one more approval, which is the latest. The same content counts once. */
export function withApproval(
  record: TrustRecord | null,
  { folder, trustedAt, content }: Approval & { readonly folder: string },
): TrustRecord {
  const key = contentKey(content);
  const others = record === null ? [] : approvalsOf(record).filter((one) => contentKey(one.content) !== key);
  const earlier = others.slice(0, MOST_APPROVALS - 1);
  return { folder, trustedAt, content, ...(earlier.length > 0 && { earlier: [...earlier] }) };
}

/** Of all that decides: times of files, and words for people, do not. */
function contentKey({ items, files }: TrustedContent): string {
  const entries = items.map(({ digest, files: run }) => [digest, run.toSorted()]);
  const states = Object.entries(files).map(([key, file]) => [key, stateOf(file)]);
  return JSON.stringify([entries.map(asText).sort(), states.map(asText).sort()]);
}

const asText = (value: unknown) => JSON.stringify(value);

const stateOf = (file: TrustedFile): unknown => {
  if (file.is === 'missing') return file.is;
  if (file.is === 'file') return [file.digest, file.real, file.executable];
  return Object.entries(file.scripts).sort(([a], [b]) => (a < b ? -1 : 1));
};
