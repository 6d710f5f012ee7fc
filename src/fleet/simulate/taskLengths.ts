import { assertNever } from '../../system/assertNever.ts';
import type { TaskLengths } from './scenario.ts';

/** How long a task takes, from two numbers of chance; at least a second, as nothing an agent does is faster. */
export function taskLengthMs(lengths: TaskLengths, one: number, other: number): number {
  return Math.max(1_000, Math.round(drawn(lengths, one, other)));
}

function drawn(lengths: TaskLengths, one: number, other: number): number {
  if (lengths.type === 'fixed') return lengths.ms;
  if (lengths.type === 'exponential') return -Math.log(1 - one) * lengths.meanMs;
  if (lengths.type === 'uniform') return lengths.fromMs + (lengths.toMs - lengths.fromMs) * one;
  if (lengths.type === 'lognormal') return lengths.medianMs * Math.exp(lengths.sigma * normal(one, other));
  return assertNever(lengths);
}

/** Box and Muller. */
const normal = (one: number, other: number) => Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * other);
