import { type ConfiguredHooks, configureHooks } from '../../hooks/configure/configureHooks.ts';
import { problemText } from '../../hooks/configure/finding.ts';
import type { HookLayer } from '../../hooks/configure/readLayer.ts';
import type { ConfiguredHook } from '../../hooks/configuredHook.ts';
import { hookDepthOf } from '../../hooks/kinds/environment.ts';
import { OWNERSHIP_MARK } from '../../hosts/host.ts';
import type { AgentDefinition } from '../../session/agents/loadAgents.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { mergedEnvironment } from '../../system/secretPolicy.ts';
import { hookPolicy } from './hookPolicy.ts';
import { withheldNotes } from './withheldNotes.ts';

export interface GatheredHooks extends ConfiguredHooks {
  /** One sentence for each hook that does not run, and for each entry that is wrong. */
  readonly warnings: readonly string[];
}

const NONE: GatheredHooks = { hooks: [], skipped: [], problems: [], warnings: [] };

export interface HookFacts {
  readonly settings: LoadedSettings;
  readonly trusted: boolean;
  readonly bare: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** Files of agents may define hooks. */
  readonly agents: readonly AgentDefinition[];
}

/** The hooks of all settings files, sorted into those that run and those that do not, with why. */
export function gatherHooks({ settings, trusted, bare, env, agents }: HookFacts): GatheredHooks {
  if (bare) return NONE;
  const layers = settings.merged.hooks.map(({ source, file, hooks, text }) => ({ source, file, value: hooks, text }));
  const configured = withoutOurs(
    configureHooks([...layers, ...agents.flatMap(agentLayers)], hookPolicy(settings, trusted)),
  );
  if (isInsideHook(env)) return reentered(configured);
  return {
    ...configured,
    hooks: configured.hooks.flatMap(asSubagent),
    warnings: [
      ...configured.problems.map(problemText),
      ...withheldNotes(configured.hooks, mergedEnvironment(env, settings.merged.env)),
      ...configured.skipped
        .filter(({ hook }) => !isOurs(hook))
        .map(({ hook, reason }) => `Hook not run: ${hook.event} ${hook.label} (${hook.file}): ${reason}.`),
    ],
  };
}

function agentLayers({ name, hooks = [] }: AgentDefinition): readonly HookLayer[] {
  return hooks.map((one) => ({ ...one, agent: name }));
}

/** An agent that another one started has no Stop: its stop is a SubagentStop. */
function asSubagent(hook: ConfiguredHook): readonly ConfiguredHook[] {
  return hook.agent === undefined || hook.event !== 'Stop' ? [hook] : [hook, { ...hook, event: 'SubagentStop' }];
}

/** What `stopgate init` wired into Claude Code's settings: here the same gates are asked without a process. */
const isOurs = ({ label }: ConfiguredHook) => label.endsWith(OWNERSHIP_MARK);

function withoutOurs(configured: ConfiguredHooks): ConfiguredHooks {
  const ours = configured.hooks.filter(isOurs).map((hook) => ({ hook, reason: 'Stopgate does this itself here' }));
  if (ours.length === 0) return configured;
  const hooks = configured.hooks.filter((hook) => !isOurs(hook));
  return { ...configured, hooks, skipped: [...configured.skipped, ...ours] };
}

/**
 * An agent that a hook started would fire the same hooks, which would start the same agent. So inside a hook none of
 * them run, unless the person says that they know what they do.
 */
function isInsideHook(env: Readonly<Record<string, string>>): boolean {
  return hookDepthOf(env) > 0 && env.STOPGATE_ALLOW_HOOK_REENTRY !== '1';
}

function reentered(configured: ConfiguredHooks): GatheredHooks {
  if (configured.hooks.length === 0) return { ...configured, warnings: configured.problems.map(problemText) };
  const reason = 'this agent was started inside a hook';
  const warning = `No hooks run: ${reason}, and they could start it again without end. STOPGATE_ALLOW_HOOK_REENTRY=1 runs them.`;
  const skipped = [...configured.skipped, ...configured.hooks.map((hook) => ({ hook, reason }))];
  return { ...configured, hooks: [], skipped, warnings: [warning] };
}
