import { perObject } from '../system/perObject.ts';
import { parseRule, type Rule } from './parseRule.ts';
import type { PermissionRules } from './types.ts';

/** Rules read once for as long as the same rules are asked; texts that are no rules are left out here, told elsewhere. */
export const compileRules = perObject(({ allow, ask, deny }: PermissionRules) => ({
  allow: read(allow),
  ask: read(ask),
  deny: read(deny),
}));

function read(texts: readonly string[]): readonly Rule[] {
  return texts.flatMap((text) => parseRule(text).rule ?? []);
}
