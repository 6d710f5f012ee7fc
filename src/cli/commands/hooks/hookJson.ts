import type { ConfiguredHook } from '../../../hooks/configuredHook.ts';

/** A hook as `--json` names it, whole. */
export function hookJson(hook: ConfiguredHook) {
  const { event, kind, label, matcher, source, file, line, path, agent, settings } = hook;
  return {
    event,
    matcher: matcher ?? null,
    kind,
    label,
    source,
    file,
    line: line ?? null,
    path,
    agent: agent ?? null,
    settings,
  };
}
