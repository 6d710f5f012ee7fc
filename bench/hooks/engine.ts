// The hook engine for the bench, wired as in `src/cli/wiring/openHooks.ts`; bundled, never run directly.
import { configureHooks } from '../../src/hooks/configure/configureHooks.ts';
import type { ConfiguredHook } from '../../src/hooks/configuredHook.ts';
import { createHookRunner } from '../../src/hooks/createHookRunner.ts';
import { backgroundHooks } from '../../src/hooks/kinds/background.ts';
import { onHookEvent } from '../../src/hooks/kinds/function.ts';
import { hookKinds } from '../../src/hooks/kinds/hookKinds.ts';
import { systemClock } from '../../src/system/clock.ts';
import { spawnProcesses } from '../../src/system/spawnProcesses.ts';

export { onHookEvent };

/** The hooks of a settings value. */
export function readHooks(value: unknown) {
  const { hooks, problems } = configureHooks([{ source: 'user', file: 'settings.json', value }]);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return hooks;
}

export function openEngine(configured: readonly ConfiguredHook[], helperScript: string) {
  let fallback: string | undefined;
  const processes = spawnProcesses({
    helperScript,
    onFallback: (sentence: string) => {
      fallback = sentence;
    },
  });
  const runner = createHookRunner({
    configured,
    kinds: hookKinds({ processes, background: backgroundHooks(systemClock) }),
    projectDir: process.cwd(),
    spill: () => '/dev/null',
  });
  return {
    runner,
    processes,
    /** Undefined while the helper starts commands. */
    fallback: () => fallback,
  };
}
