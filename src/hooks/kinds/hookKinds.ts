import { defineFacts, type HookKind, type KindFacts } from '../kind.ts';
import { agentFacts, agentHook, type RunAgent } from './agent.ts';
import { type CommandEffects, commandFacts, commandHook } from './command.ts';
import { functionHook } from './function.ts';
import { type HttpPolicy, httpFacts, httpHook } from './http.ts';
import { type CallMcpTool, mcpToolFacts, mcpToolHook } from './mcpTool.ts';
import { type AskModel, promptFacts, promptHook } from './prompt.ts';

/** The kinds that a settings file can name. */
export const SETTINGS_KINDS: readonly KindFacts[] = [
  defineFacts(commandFacts),
  defineFacts(httpFacts),
  defineFacts(promptFacts),
  defineFacts(agentFacts),
  defineFacts(mcpToolFacts),
];

/** The effects of the kinds. A kind without its effect is missing, and its hooks are reported as not run. */
export interface KindEffects extends CommandEffects {
  readonly http?: HttpPolicy;
  readonly askModel?: AskModel;
  readonly runAgent?: RunAgent;
  readonly callMcpTool?: CallMcpTool;
  /** Read for `STOPGATE_HTTP_HOOKS_ALLOW_PRIVATE`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Every kind, with its effects. */
export function hookKinds(effects: KindEffects): readonly HookKind[] {
  const { http, askModel, runAgent, callMcpTool, env = {} } = effects;
  const allowPrivateAddresses = env.STOPGATE_HTTP_HOOKS_ALLOW_PRIVATE === '1';
  return [
    commandHook(effects),
    httpHook({ allowPrivateAddresses, ...http }),
    functionHook(),
    ...(askModel ? [promptHook(askModel)] : []),
    ...(runAgent ? [agentHook(runAgent)] : []),
    ...(callMcpTool ? [mcpToolHook(callMcpTool)] : []),
  ];
}
