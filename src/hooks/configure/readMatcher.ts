import { MessageMatcherSchema } from '../../schemas/hooks.ts';
import type { ConfiguredHook } from '../configuredHook.ts';
import { compilePattern, isBrokenPattern } from '../matcher.ts';
import { broken, type Finding, invalid, noted, type Place } from './finding.ts';

export type Matcher = ConfiguredHook['matcher'];

/** `usable: false`: what stands under it does not run. */
export type ReadMatcher =
  | { readonly usable: true; readonly matcher: Matcher; readonly found: readonly Finding[] }
  | { readonly usable: false; readonly found: readonly Finding[] };

/** Reads the `matcher` of a group or of an entry that stands by itself. */
export function readMatcher(value: unknown, at: Place): ReadMatcher {
  if (value === undefined || value === null) return { usable: true, matcher: undefined, found: [] };
  const path = [...at.path, 'matcher'];
  if (typeof value === 'string') {
    const useless = at.row.matcherField !== null && isBrokenPattern(value, at.row);
    const found = useless ? [noted(path, `"${value}" is not a regular expression, so it matches nothing`)] : [];
    return { usable: true, matcher: value, found };
  }
  const read = MessageMatcherSchema.safeParse(value);
  if (!read.success) return { usable: false, found: invalid(path, read.error) };
  const { pattern } = read.data;
  if (compilePattern(pattern, '') !== undefined) return { usable: true, matcher: read.data, found: [] };
  return { usable: false, found: [broken([...path, 'pattern'], `"${pattern}" is not a regular expression`)] };
}
