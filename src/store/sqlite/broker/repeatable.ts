import { ownValue } from '../../../system/ownValue.ts';
import { OPERATION_KINDS } from '../../operationsOver.ts';
import type { OperationName } from '../../outcomes.ts';

/** Writes that need no key to have one effect, and why. These are the frequent ones, and a key costs a row. */
const REPEATABLE: Readonly<Partial<Record<OperationName, string>>> = {
  addTasks: 'its ids were chosen before it was sent',
  claim: 'it has a key of its own',
  acknowledge: 'by its lease',
  complete: 'by its lease',
  fail: 'by its lease',
  release: 'by its lease',
  heartbeat: 'a second one says the same',
  renewVerification: 'by the epoch of the verification',
};

/** Whether it may be carried out twice: by two processes at the same time, or late by one that was stopped. */
export function isRepeatable(operation: string): boolean {
  const kind = ownValue<string>(OPERATION_KINDS, operation);
  return kind !== 'write' || ownValue(REPEATABLE, operation) !== undefined;
}
