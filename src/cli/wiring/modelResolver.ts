import { type ResolvedModel, resolveModel } from '../../models/providers.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import type { World } from '../../system/world.ts';
import { keyHelper } from './keyHelper.ts';

/** Resolves every model of a session with the same variables and key. */
export interface ModelResolver {
  readonly env: Readonly<Record<string, string>>;
  readonly resolve: (name: string) => ResolvedModel;
}

/** Variables of the settings take precedence over the process's; `effortLevel` has the lowest. */
export function modelResolver(settings: LoadedSettings, world: World): ModelResolver {
  const { merged } = settings;
  const env = { ...effortOf(merged.other), ...world.env, ...merged.env };
  const helper = merged.apiKeyHelper === undefined ? undefined : keyHelper(merged.apiKeyHelper, env, world);
  return { env, resolve: (name) => resolveModel(name, env, helper ? { keyHelper: helper } : {}) };
}

function effortOf({ effortLevel }: Readonly<Record<string, unknown>>): Record<string, string> {
  return typeof effortLevel === 'string' && effortLevel !== '' ? { CLAUDE_CODE_EFFORT_LEVEL: effortLevel } : {};
}
