import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ConfiguredHook } from '../../hooks/configuredHook.ts';
import { createHookRunner, type HookRunnerOptions } from '../../hooks/createHookRunner.ts';
import { eventFacts } from '../../hooks/events/eventTable.ts';
import { backgroundHooks } from '../../hooks/kinds/background.ts';
import { hookKinds } from '../../hooks/kinds/hookKinds.ts';
import type { MatchesRule } from '../../hooks/select.ts';
import { spillToFolder } from '../../hooks/spill.ts';
import { conditionMeets } from '../../permissions/conditionMeets.ts';
import type { PromptParams } from '../../query/prompt/submitPrompt.ts';
import type { ToolUseContext } from '../../query/toolUseContext.ts';
import { evidenceOf } from '../../session/evidence/evidenceOf.ts';
import { mergedEnvironment } from '../../system/secretPolicy.ts';
import { parseToolInput } from '../../tools/parseInput.ts';
import type { GatheredSession } from './gatherSession.ts';
import { runHookAgent } from './hookAgent.ts';
import { askHookModel, type SessionFacts } from './hookModel.ts';
import { liveBudget } from './liveBudget.ts';
import { mcpLimits } from './mcp/mcpLimits.ts';
import { mcpConnections } from './mcpConnections.ts';
import { hookEnvFile, sessionFolder } from './sessionPlaces.ts';
import { whyHookOff } from './trust/hookTrust.ts';

interface HookWiring extends SessionFacts {
  /** Whether each hook is reported while it runs. */
  readonly watches: boolean;
  /** Whether a status line shows that hooks run. */
  readonly showsStatus?: boolean;
  /** Our own gates, which run in addition to the settings' hooks. */
  readonly own: readonly ConfiguredHook[];
  readonly onEnd?: HookRunnerOptions['onEnd'];
  /** The session of these hooks, which does not exist yet while they are wired. */
  readonly session: () => Omit<PromptParams, 'prompt'>;
}

/** The hook engine with all its effects: processes, network, models, agents, MCP servers. */
export function openHooks(wiring: HookWiring) {
  const { gathered, world, log, session } = wiring;
  // hooks append variables to a file there
  if (gathered.hooks.hooks.some(({ event }) => eventFacts(event).hasEnvFile)) {
    mkdirSync(sessionFolder(gathered), { recursive: true, mode: 0o700 });
  }
  const background = backgroundHooks(world.clock);
  const whole = mergedEnvironment(world.env, gathered.settings.merged.env);
  const place = { cwd: world.cwd, env: whole, connectMs: mcpLimits(whole).connectMs };
  const mcp = mcpConnections(gathered.mcpServers, place);
  const env = liveBudget(whole, world.clock);
  const runner = createHookRunner({
    configured: [...gathered.hooks.hooks, ...wiring.own],
    kinds: hookKinds({
      processes: world.processes,
      background,
      env,
      http: httpPolicy(gathered),
      askModel: askHookModel(wiring),
      runAgent: runHookAgent(world, session, gathered),
      callMcpTool: mcp.call,
    }),
    projectDir: world.cwd,
    // a branch switch or an edit while the session runs must not change what a person approved
    whyOff: (hook, cwd) => whyHookOff(hook, gathered.trust, { projectDir: world.cwd, cwd }),
    env,
    clock: world.clock,
    ids: world.ids,
    envFile: hookEnvFile(gathered),
    spill: spillToFolder(path.join(sessionFolder(gathered), 'hook-output'), world.ids),
    matchesRule: ruleMatcher(() => session().toolUseContext),
    evidence: ({ agentId }) => evidenceOf(log.messages(agentId)),
    lastText: (source, subject) => log.lastText(source, subject.agentId),
    // as in Claude Code, the start of a session is always reported
    emitsProgress: (event) => wiring.watches || wiring.showsStatus === true || BEGINNING.has(event),
    watchOutput: wiring.watches,
    ...(wiring.onEnd && { onEnd: wiring.onEnd }),
  });
  return { runner, background, mcp };
}

const BEGINNING: ReadonlySet<string> = new Set(['Setup', 'SessionStart']);

function httpPolicy({ settings }: GatheredSession) {
  const { allowedHttpHookUrls, httpHookAllowedEnvVars } = settings.merged;
  return {
    ...(allowedHttpHookUrls ? { allowedUrls: allowedHttpHookUrls } : {}),
    ...(httpHookAllowedEnvVars ? { allowedEnvVars: httpHookAllowedEnvVars } : {}),
  };
}

/** Whether a permission rule covers a call, for a hook's `if`. */
function ruleMatcher(context: () => ToolUseContext): MatchesRule {
  return (rule, toolName, toolInput) => {
    const { tools, toolServices, permissions, signal } = context();
    const tool = tools.find(({ name }) => name === toolName);
    const parsed = tool && parseToolInput(tool, toolInput);
    if (!tool || parsed?.type !== 'ok') return 'unclear';
    const call = {
      toolUseId: '',
      signal,
      askTaskHooks: async () => null,
      registerCleanup: () => () => {},
      ...toolServices,
    };
    const { projectDir } = toolServices.directory;
    return conditionMeets(rule, {
      toolName,
      request: tool.permission(parsed.input, call),
      directories: [projectDir],
      projectDir,
      homeDir: permissions.homeDir,
      cwd: toolServices.directory.current(),
    });
  };
}
