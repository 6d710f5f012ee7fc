import { type ConfiguredHooks, configureHooks, type HookPolicy } from '../../hooks/configure/configureHooks.ts';
import { problemText } from '../../hooks/configure/finding.ts';
import type { HookLayer } from '../../hooks/configure/readLayer.ts';
import type { ConfiguredHook } from '../../hooks/configuredHook.ts';
import { hookDepthOf } from '../../hooks/kinds/environment.ts';
import type { AgentDefinition } from '../../session/agents/loadAgents.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { BY_PATH, type FolderTrust } from '../../session/trust/folderTrust.ts';
import type { Environment } from '../../system/environment.ts';
import { mergedEnvironment, namesIn, PASS_ENV, withheldFrom } from '../../system/secretPolicy.ts';
import { asSentence } from '../../system/sentence.ts';
import type { World } from '../../system/world.ts';
import { isOurs, whyHookOff } from './trust/hookTrust.ts';

interface GatheredHooks extends ConfiguredHooks {
  /** One sentence per hook that does not run and per invalid entry. */
  readonly warnings: readonly string[];
  /** One sentence per hook and setting of the project that is off, because it is not as a person approved it. */
  readonly leftOut: readonly string[];
}

interface HookFacts {
  readonly settings: LoadedSettings;
  readonly trust: FolderTrust;
  readonly world: Pick<World, 'cwd' | 'env'>;
  readonly bare: boolean;
  /** May define hooks. */
  readonly agents: readonly AgentDefinition[];
}

/** The hooks of all settings files: those that run, and those that do not, with the reason. */
export function gatherHooks({ settings, trust, world, bare, agents }: HookFacts): GatheredHooks {
  if (bare) return { hooks: [], skipped: [], problems: [], warnings: [], leftOut: [] };
  const { env, cwd: projectDir } = world;
  const layers = settings.merged.hooks.map(({ source, file, hooks, text }) => ({ source, file, value: hooks, text }));
  const configured = withoutOurs(
    configureHooks([...layers, ...agents.flatMap(agentLayers)], hookPolicy(settings, trust, projectDir)),
  );
  const leftOut = leftOutByTrust({ trust, settings, hooks: configured, projectDir });
  if (isInsideHook(env)) return { ...reentered(configured), leftOut };
  return {
    ...configured,
    leftOut,
    hooks: configured.hooks.flatMap(asSubagent),
    warnings: [
      ...(trust.level === 'path' ? [asSentence(BY_PATH)] : []),
      ...configured.problems.map(problemText),
      ...withheldNotes(configured.hooks, mergedEnvironment(env, settings.merged.env)),
      ...configured.skipped.filter(({ hook }) => !isOurs(hook)).map(hookNotRun),
    ],
  };
}

function agentLayers({ name, hooks = [] }: AgentDefinition): readonly HookLayer[] {
  return hooks.map((one) => ({ ...one, agent: name }));
}

/** The stop of a subagent is a SubagentStop. */
function asSubagent(hook: ConfiguredHook): readonly ConfiguredHook[] {
  return hook.agent === undefined || hook.event !== 'Stop' ? [hook] : [hook, { ...hook, event: 'SubagentStop' }];
}

function withoutOurs({ hooks, skipped, problems }: ConfiguredHooks): ConfiguredHooks {
  const ours = hooks.filter(isOurs).map((hook) => ({ hook, reason: 'Stopgate runs it in process' }));
  return { hooks: hooks.filter((hook) => !isOurs(hook)), skipped: [...skipped, ...ours], problems };
}

/** An agent that a hook started would fire the same hooks, which would start the same agent. */
function isInsideHook(env: Readonly<Record<string, string>>): boolean {
  return hookDepthOf(env) > 0 && env.STOPGATE_ALLOW_HOOK_REENTRY !== '1';
}

function reentered(configured: ConfiguredHooks): Omit<GatheredHooks, 'leftOut'> {
  if (configured.hooks.length === 0) return { ...configured, warnings: configured.problems.map(problemText) };
  const reason = 'this agent was started inside a hook';
  const warning = `No hooks run: ${reason}, and they could start it again endlessly. Set STOPGATE_ALLOW_HOOK_REENTRY=1 to run them.`;
  const skipped = [...configured.skipped, ...configured.hooks.map((hook) => ({ hook, reason }))];
  return { ...configured, hooks: [], skipped, warnings: [warning] };
}

/** Users may disable all hooks but managed ones; managed settings may disable all. */
function hookPolicy({ merged, layers }: LoadedSettings, trust: FolderTrust, projectDir: string): HookPolicy {
  const managedOff = layers.some(({ source, settings }) => source === 'managed' && settings.disableAllHooks === true);
  const off = managedOff ? 'all' : merged.disableAllHooks ? 'exceptManaged' : undefined;
  return {
    ...(off ? { disableAllHooks: off } : {}),
    ...(merged.allowManagedHooksOnly ? { allowManagedHooksOnly: true } : {}),
    whyNotTrusted: (hook) => whyHookOff(hook, trust, { projectDir, cwd: projectDir }),
  };
}

interface TrustFacts {
  readonly trust: FolderTrust;
  readonly settings: Pick<LoadedSettings, 'problems'>;
  readonly hooks: Pick<ConfiguredHooks, 'skipped'>;
  readonly projectDir: string;
}

const hookNotRun = ({ hook, reason }: ConfiguredHooks['skipped'][number]): string =>
  `Hook not run: ${hook.event} ${hook.label} (${hook.file}): ${reason}.`;

/** One sentence for each hook and setting of the project that is off because it is not as a person approved it. */
function leftOutByTrust({ trust, settings, hooks, projectDir }: TrustFacts): readonly string[] {
  const place = { projectDir, cwd: projectDir };
  return [
    ...(trust.level === 'path' ? [asSentence(BY_PATH)] : []),
    ...settings.problems.flatMap(({ level, message }) => (level === 'skipped' ? [message] : [])),
    ...hooks.skipped.filter(({ hook, reason }) => whyHookOff(hook, trust, place) === reason).map(hookNotRun),
  ];
}

/** Programs that need the key of a model. */
const AGENT = /(?:^|[\s;&|"'/(])(?:claude|stopgate(?:\.js)?|codex|gemini|aider|opencode)["']?\s/;

/** Warns about each hook whose command uses a secret that it does not get: the variable would be empty. */
export function withheldNotes(hooks: readonly ConfiguredHook[], env: Environment): readonly string[] {
  const commands = hooks.filter(({ kind }) => kind === 'command');
  if (commands.length === 0) return [];
  const withheld = withheldFrom('hook', env);
  const fromAgents = withheldFrom('otherAgent', env);
  const ofModels = [...withheld].filter((name) => !fromAgents.has(name));
  return commands.flatMap(({ event, label, file, path, settings: { allowedEnvVars = [] } }) => {
    const used = [...namesIn(label, withheld), ...(AGENT.test(label) ? ofModels : [])];
    const names = [...new Set(used)].filter((name) => !allowedEnvVars.includes(name));
    // one key is enough for an agent, and the author of the hook chose it
    if (names.length === 0 || (AGENT.test(label) && allowedEnvVars.length > 0)) return [];
    const list = names.map((name) => `"${name}"`).join(', ');
    return [
      `The ${event} hook at ${file}: ${path} ${AGENT.test(label) ? 'starts an agent and may need' : 'uses'} ${names.join(', ')}, which hooks do not get; add "allowedEnvVars": [${list}] to it, or set ${PASS_ENV}=${names.join(',')}.`,
    ];
  });
}
