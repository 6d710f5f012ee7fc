import type { TreeFacts } from '../schemas/ledger.ts';
import type { GateEnding } from './ending.ts';

/** The answer to "may it stop?", for hosts and for our own agent. Notes are for people, never for the agent. */
export type StopAnswer = PassAnswer | BlockAnswer;

export interface PassAnswer {
  readonly type: 'pass';
  readonly notes: readonly string[];
  /** For the record. */
  readonly ending?: GateEnding;
  /** The files that it is about, where they were read. */
  readonly tree?: TreeFacts | undefined;
}

interface BlockAnswer extends Omit<PassAnswer, 'type'> {
  readonly type: 'block';
  readonly reason: string;
  /** No verdict yet: the checks still run. */
  readonly waits?: boolean;
  /** Called when the host has received the answer. */
  readonly delivered?: () => Promise<void>;
}

export const PASS: PassAnswer = { type: 'pass', notes: [] };

export const withNotes = (answer: StopAnswer, notes: readonly string[]): StopAnswer =>
  notes.length === 0 ? answer : { ...answer, notes: [...notes, ...answer.notes] };
