/** The public API, by name. What is not here may change. */

import './requireNode.ts';

export * as z from 'zod';
export { createStopWork, type SessionStopWork, type StopWorkOptions } from './background/createStopWork.ts';
export { type BackgroundLimits, DEFAULT_LIMITS } from './background/governor/limits.ts';
export { decideSwitches, type SwitchFacts } from './background/governor/switches.ts';
export { budgetMessage, countdownOutput, parseDuration } from './budget/timeBudget.ts';
export { decideWorkerStop, type WorkerStopDecision, type WorkerStopFacts } from './fleet/decisions/workerStop.ts';
export { askWorkerStop, type WorkerStop, type WorkerStopAnswer } from './fleet/worker/askWorkerStop.ts';
export { type ConfiguredHooks, configureHooks, type HookPolicy } from './hooks/configure/configureHooks.ts';
export type { ConfiguredHook } from './hooks/configuredHook.ts';
export { type ConfigurableHookRunner, createHookRunner, type HookRunnerOptions } from './hooks/createHookRunner.ts';
export {
  executePermissionRequestHooks,
  executePostToolHooks,
  executePreToolHooks,
  executeSessionEndHooks,
  executeSessionStartHooks,
  executeStopFailureHooks,
  executeStopHooks,
  executeTaskCompletedHooks,
  executeTaskCreatedHooks,
  executeTeammateIdleHooks,
  executeUserPromptSubmitHooks,
  fireHooks,
} from './hooks/executeEvents.ts';
export { executeHooks } from './hooks/executeHooks.ts';
export { createBaseHookInput } from './hooks/firedEvent.ts';
export { backgroundHooks } from './hooks/kinds/background.ts';
export { onHookEvent } from './hooks/kinds/function.ts';
export { hookKinds, type KindEffects } from './hooks/kinds/hookKinds.ts';
export { spillToFolder } from './hooks/spill.ts';
export type { HookEventName, HookRequest, HookRunner, HookVerdict, RequestPrompt } from './hooks/types.ts';
export { HOOK_EVENTS, noHooks } from './hooks/types.ts';
export { aiSdkModel } from './models/aiSdk/aiSdkModel.ts';
export { type Cost, SpendLedger } from './models/ledger.ts';
export { resolveModel } from './models/providers.ts';
export type { Model, ModelEvent, ModelFailure, ModelRequest, Usage } from './models/types.ts';
export { decidePermission } from './permissions/decidePermission.ts';
export type { QueryEvent } from './query/events.ts';
export { type MainContextOptions, mainContext } from './query/mainContext.ts';
export type { QueryConfig, QueryDeps, QueryParams } from './query/params.ts';
export { type PromptEnd, type PromptParams, submitPrompt } from './query/prompt/submitPrompt.ts';
export { query } from './query/query.ts';
export { handleStopHooks } from './query/stop/stopHooks.ts';
export type { StopHookResult } from './query/stop/stopResult.ts';
export type { StopWork } from './query/stop/stopWork.ts';
export { type Cleanup, type TurnCleanups, turnCleanups } from './query/stop/stopWork.ts';
export {
  type BudgetTracker,
  checkTokenBudget,
  createBudgetTracker,
  getBudgetContinuationMessage,
  type TokenBudgetDecision,
} from './query/stop/tokenBudget.ts';
export type { Terminal, TerminalReason, Transition } from './query/terminal.ts';
export type { ToolUseContext } from './query/toolUseContext.ts';
export type { HookPrompt } from './schemas/hookOutputs.ts';
export {
  type AgentHook,
  AgentHookSchema,
  type BashCommandHook,
  BashCommandHookSchema,
  HookEntrySchema,
  HookMatcherSchema,
  HooksSchema,
  type HooksSettings,
  type HttpHook,
  HttpHookSchema,
  type McpToolHook,
  McpToolHookSchema,
  type PromptHook,
  PromptHookSchema,
} from './schemas/hooks.ts';
export { textOf } from './session/conversation.ts';
export { makeMessages } from './session/makeMessages.ts';
export type { AssistantMessage, Message, SystemMessage, UserMessage } from './session/messages.ts';
export { openStore } from './store/openStore.ts';
export type { Store, StoreOperations } from './store/types.ts';
export type { Unavailable } from './store/unavailable.ts';
export { systemClock } from './system/clock.ts';
export { systemIds } from './system/ids.ts';
export { type SpawnOptions, spawnProcesses } from './system/spawnProcesses.ts';
export { allTools } from './tools/allTools.ts';
export { defineTool, type Tool, type ToolOutcome } from './tools/tool.ts';
export type { ToolContext } from './tools/toolContext.ts';
