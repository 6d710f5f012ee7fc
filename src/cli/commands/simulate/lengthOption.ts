import type { TaskLengths } from '../../../fleet/simulate/scenario.ts';
import { UserError } from '../../../system/userError.ts';
import { durationMs } from './amounts.ts';

const FLAG = '--task-length';

const PATTERNS: Readonly<Record<string, (text: string) => TaskLengths>> = {
  fixed: (text) => ({ type: 'fixed', ms: durationMs(FLAG, text) }),
  exp: (text) => ({ type: 'exponential', meanMs: durationMs(FLAG, text) }),
  uniform: (text) => {
    const [from = '', to] = text.split('-');
    if (to === undefined) throw new UserError(`${FLAG} uniform:${text} has no end; write uniform:1m-30m.`);
    const lengths = { type: 'uniform', fromMs: durationMs(FLAG, from), toMs: durationMs(FLAG, to) } as const;
    if (lengths.toMs < lengths.fromMs) throw new UserError(`${FLAG} uniform:${text} ends before it begins.`);
    return lengths;
  },
  lognormal: (text) => {
    const [median = '', sigma = '1'] = text.split(',');
    const spread = Number(sigma);
    if (!(spread > 0 && spread <= 4))
      throw new UserError(`${FLAG} lognormal:${text}: sigma must be above 0 and at most 4.`);
    return { type: 'lognormal', medianMs: durationMs(FLAG, median), sigma: spread };
  },
};

/** `exp:12m` and the like; a duration alone is fixed. */
export function lengthOption(text: string): TaskLengths {
  const [, name = '', rest = ''] = /^([a-z]+):(.*)$/.exec(text.trim()) ?? [];
  const pattern = Object.hasOwn(PATTERNS, name) ? PATTERNS[name] : undefined;
  if (pattern !== undefined) return pattern(rest);
  if (/^\d/.test(text.trim())) return { type: 'fixed', ms: durationMs(FLAG, text) };
  throw new UserError(
    `${FLAG} ${text} is not a pattern; write exp:12m, uniform:1m-30m, lognormal:10m,1.2 or fixed:5m.`,
  );
}
