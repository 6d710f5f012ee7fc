import { enableCompileCache } from 'node:module';
import { makeHome, stopgateHome, whyHomeUnsafe } from '../../system/stopgateHome.ts';

/**
 * What both bundles do before they load anything else: what creates our folder after this finds it closed to others, and
 * everything that is loaded is compiled once for all starts, since parsing costs more than running. Returns why the folder
 * cannot be relied on: compiled code that another user may have put there would run as ours.
 */
export function prepareHome(env: NodeJS.ProcessEnv, { isDryRun = false } = {}): string | null {
  const keepsCompiled = !env.NODE_DISABLE_COMPILE_CACHE;
  // a dry run writes nothing but the cache
  if (keepsCompiled || !isDryRun) makeHome(env);
  const unsafe = whyHomeUnsafe(env);
  if (unsafe === null && keepsCompiled) enableCompileCache(`${stopgateHome(env)}/cache/compile`);
  return unsafe;
}
