import { type DiffStat, diffOf, diffStat } from '../../../git/landing/diffStat.ts';
import type { PlacedWork } from '../../../launch/land/landing.ts';
import { placeWork } from '../../../launch/land/landingPlace.ts';
import { gitAt, type Places } from '../../../launch/land/remotePlace.ts';
import type { SignedReceipt } from '../../../schemas/receipt.ts';
import { verifyReceipt } from '../../../stop/receipts/verifyReceipt.ts';
import { readTextFileSync } from '../../../system/readTextFile.ts';
import type { Review } from '../../wiring/store/openedStore.ts';

/** The proof of some work. */
export interface Proof {
  /** `unknown`: it was verified on a machine whose receipt is not here. */
  readonly type: 'verified' | 'unknown' | 'none' | 'changed';
  readonly verifiedBy: string | null;
  readonly commit: string | null;
  readonly checks: readonly { readonly name: string; readonly outcome: string }[];
  readonly file: string | null;
}

/** Work with what a person decides by. */
export interface ReviewFacts {
  readonly review: Review;
  /** Null where its repository is not. */
  readonly work: PlacedWork | null;
  readonly whyNoWork: string | null;
  readonly diff: DiffStat | null;
  readonly proof: Proof;
  readonly receipt: SignedReceipt | null;
}

export async function gatherReview(review: Review, places: Places): Promise<ReviewFacts> {
  const placed = await placeWork(review, places);
  const { proof, receipt } = proofOf(review);
  if (placed.type === 'notHere') return { review, work: null, whyNoWork: placed.reason, diff: null, proof, receipt };
  const diff = await diffStat(gitAt(placed.place, places), diffOf(placed.place.folder, placed));
  return { review, work: placed, whyNoWork: null, diff, proof, receipt };
}

const LARGEST_RECEIPT = 4_000_000;

function proofOf({ details }: Review): { readonly proof: Proof; readonly receipt: SignedReceipt | null } {
  const { verifiedBy = null, verifiedCommit: commit = null, receipt: file = null } = details;
  const of = (type: Proof['type'], receipt: SignedReceipt | null = null) => ({
    proof: {
      type,
      verifiedBy,
      commit,
      file,
      checks: receipt?.receipt.checks.map(({ name, outcome }) => ({ name, outcome })) ?? [],
    },
    receipt,
  });
  if (verifiedBy === null) return of('none');
  const read = file === null ? null : readTextFileSync(file, LARGEST_RECEIPT);
  if (read?.type !== 'read') return of('unknown');
  const verified = verifyReceipt(read.text);
  return verified.type === 'valid' ? of('verified', verified.signed) : of('changed');
}
