import type { ConfiguredHook, HookSource } from '../configuredHook.ts';
import type { KindFacts } from '../kind.ts';
import { SETTINGS_KINDS } from '../kinds/hookKinds.ts';
import type { HookProblem } from './finding.ts';
import { type HookLayer, readLayer } from './readLayer.ts';

/** What settings and the person decided about all hooks, after the precedence of layers. */
export interface HookPolicy {
  /** `exceptManaged`: set by a layer that may not disable an organization's hooks. */
  readonly disableAllHooks?: 'all' | 'exceptManaged';
  readonly allowManagedHooksOnly?: boolean;
  /** Called for hooks that came with a project, with the whole hook, so that trust can depend on its content. Null: it may run. */
  whyNotTrusted?(hook: ConfiguredHook): string | null;
}

export interface ConfiguredHooks {
  readonly hooks: readonly ConfiguredHook[];
  /** Valid, but not to be run; each with why. */
  readonly skipped: readonly { readonly hook: ConfiguredHook; readonly reason: string }[];
  readonly problems: readonly HookProblem[];
}

/** Reads layers of settings into hooks that run, hooks that do not, and problems. Layers concatenate. */
export function configureHooks(
  layers: readonly HookLayer[],
  policy: HookPolicy = {},
  kinds: readonly KindFacts[] = SETTINGS_KINDS,
): ConfiguredHooks {
  const read = layers.map((layer) => readLayer(layer, kinds));
  const all = read.flatMap(({ hooks }) => hooks).map((hook) => ({ hook, reason: whySkipped(hook, policy) }));
  return {
    hooks: all.flatMap(({ hook, reason }) => (reason === null ? [hook] : [])),
    skipped: all.flatMap(({ hook, reason }) => (reason === null ? [] : [{ hook, reason }])),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** These came with the folder, so another person may have written them. */
const FROM_PROJECT: ReadonlySet<HookSource> = new Set(['project', 'local', 'skill', 'plugin']);

export const isFromProject = ({ source }: Pick<ConfiguredHook, 'source'>): boolean => FROM_PROJECT.has(source);

function whySkipped(hook: ConfiguredHook, policy: HookPolicy): string | null {
  if (policy.disableAllHooks === 'all') return 'managed settings disable all hooks';
  const managed = hook.source === 'managed';
  if (policy.disableAllHooks === 'exceptManaged' && !managed) return 'disableAllHooks is set';
  if (policy.allowManagedHooksOnly && !managed && hook.source !== 'library') return 'only managed hooks are allowed';
  return isFromProject(hook) ? (policy.whyNotTrusted?.(hook) ?? null) : null;
}
