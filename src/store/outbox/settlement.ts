import type { KeptSettlement } from '../../schemas/keptSettlement.ts';
import { ownValue } from '../../system/ownValue.ts';
import type { LeaseLost } from '../types.ts';

export type { KeptSettlement } from '../../schemas/keptSettlement.ts';

/** What ends a claim. */
export type SettlingOperation = KeptSettlement['operation'];

export const SETTLING: readonly SettlingOperation[] = ['complete', 'fail', 'release'];

const DONE: Readonly<Record<SettlingOperation, string>> = {
  complete: 'completed',
  fail: 'failed',
  release: 'released',
};

/** `completed`. */
export const settlementWord = ({ operation }: Pick<KeptSettlement, 'operation'>): string => DONE[operation];

const LOST: { readonly [Type in LeaseLost['type']]: string } = {
  superseded: 'superseded: the task was taken from its worker, or claimed again',
  cancelled: 'superseded: the task was cancelled',
  settled: 'superseded: this claim was settled before, in another way',
  unknownAttempt: 'superseded: the store does not know this claim',
};

/** Why a store refused a settlement; null when it took it. */
export const whyRefused = ({ type }: { readonly type: string }): string | null => ownValue(LOST, type) ?? null;
