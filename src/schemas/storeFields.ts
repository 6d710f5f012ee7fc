import * as z from 'zod';
import { LATEST_AT, LONGEST_MS } from './timeBounds.ts';

/** What the requests of a store are made of. */
export const text = z.string();
export const maybe = text.optional();
export const whole = z.int();
export const length = z.number().min(0).max(LONGEST_MS);
const duration = whole.min(-LONGEST_MS).max(LONGEST_MS);
export const many = z.array(text);
/** PostgreSQL cannot store NUL, and a store can be moved there. */
export const kept = text.refine((value) => !value.includes('\0'));
export const keptOrNull = kept.nullable();
export const count = z.int().min(1).max(1_000_000);
export const onDependencyFailure = z.enum(['wait', 'cancel', 'run']);

export const plannedTask = z.strictObject({
  id: text.regex(/^[\w.:-]{4,64}$/),
  queue: kept,
  type: kept,
  title: kept.min(1),
  body: kept,
  priority: z.int32(),
  delayMs: duration,
  runAt: whole.min(-LATEST_AT).max(LATEST_AT),
  dependsOn: many,
  onDependencyFailure,
  dedupeKey: keptOrNull,
  parentId: keptOrNull,
  maxFailures: count,
  maxReclaims: count,
  maxReleases: count,
  backoffMs: duration,
  timeBudgetMs: duration.nullable(),
  costBudgetUsd: z.number().nullable(),
  tokenBudget: whole.nullable(),
  totalTimeMs: duration.nullable(),
  verify: keptOrNull,
  judge: keptOrNull,
  holdReason: keptOrNull,
  repository: keptOrNull,
  base: keptOrNull,
  concurrencyKey: keptOrNull,
  concurrencyLimit: count.nullable(),
});

export const nothing = z.strictObject({});
export const leadership = z.strictObject({ name: text, holder: text, epoch: whole });
