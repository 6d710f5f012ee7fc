import { enableCompileCache } from 'node:module';
import { makeHome, stopgateHome, whyHomeUnsafe } from '../../system/stopgateHome.ts';

/**
 * Runs before anything else is loaded: creates our folder, closed to others, and caches compiled code, since parsing costs
 * more than running. Returns why the folder is unsafe: compiled code from another user would run as ours.
 */
export function prepareHome(env: NodeJS.ProcessEnv, { isDryRun = false } = {}): string | null {
  const keepsCompiled = !env.NODE_DISABLE_COMPILE_CACHE;
  // a dry run writes only the cache
  if (keepsCompiled || !isDryRun) makeHome(env);
  const unsafe = whyHomeUnsafe(env);
  if (unsafe === null && keepsCompiled) enableCompileCache(`${stopgateHome(env)}/cache/compile`);
  return unsafe;
}
