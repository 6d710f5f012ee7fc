import type { ConfiguredHook, HookSource } from '../configuredHook.ts';
import type { KindFacts } from '../kind.ts';
import { SETTINGS_KINDS } from '../kinds/settingsKinds.ts';
import type { HookProblem } from './hookProblem.ts';
import { type HookLayer, readLayer } from './readLayer.ts';

/** What settings and the person decided about hooks as such; precedence of layers was worked out before. */
export interface HookPolicy {
  /** `exceptManaged`: asked for by a layer that may not switch off an organisation's hooks. */
  readonly disableAllHooks?: 'all' | 'exceptManaged';
  readonly allowManagedHooksOnly?: boolean;
  /** Asked for hooks that came with a project. It is given the whole hook, so that trust can be bound to content. */
  trusted?(hook: ConfiguredHook): boolean;
}

interface SkippedHook {
  readonly hook: ConfiguredHook;
  readonly reason: string;
}

export interface ConfiguredHooks {
  readonly hooks: readonly ConfiguredHook[];
  /** Valid, but not to be run; each with why. */
  readonly skipped: readonly SkippedHook[];
  readonly problems: readonly HookProblem[];
}

/** Turns what settings files say into hooks that run, hooks that do not, and what is wrong. Layers concatenate. */
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

/** Came with the folder, so somebody else may have written it. */
const FROM_PROJECT: ReadonlySet<HookSource> = new Set(['project', 'local', 'skill', 'plugin']);

function whySkipped(hook: ConfiguredHook, policy: HookPolicy): string | null {
  if (policy.disableAllHooks === 'all') return 'managed settings disable all hooks';
  const managed = hook.source === 'managed';
  if (policy.disableAllHooks === 'exceptManaged' && !managed) return 'disableAllHooks is set';
  if (policy.allowManagedHooksOnly && !managed && hook.source !== 'library') return 'only managed hooks are allowed';
  if (!FROM_PROJECT.has(hook.source) || (policy.trusted?.(hook) ?? true)) return null;
  return 'this project is not trusted: run `stopgate trust` here, or pass --trust-project';
}
