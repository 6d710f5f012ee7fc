import type { HookKind } from '../kind.ts';
import { agentHook, type RunAgent } from './agent.ts';
import { type CommandEffects, commandHook } from './command.ts';
import { functionHook } from './function.ts';
import { type HttpPolicy, httpHook } from './http.ts';
import { type CallMcpTool, mcpToolHook } from './mcpTool.ts';
import { type AskModel, promptHook } from './prompt.ts';

/** What the kinds touch. A kind whose effect is left out is not there: its hooks say why they do not run. */
export interface KindEffects extends CommandEffects {
  readonly http?: HttpPolicy;
  readonly askModel?: AskModel;
  readonly runAgent?: RunAgent;
  readonly callMcpTool?: CallMcpTool;
  /** Read for `STOPGATE_HTTP_HOOKS_ALLOW_PRIVATE`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The registry: every kind, made with its effects. */
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
