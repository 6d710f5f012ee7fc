import type { HookVerdict } from '../hooks/types.ts';
import { decidePermission } from '../permissions/decidePermission.ts';
import { resolveRequest } from '../permissions/resolveForPermission.ts';
import { suggestedUpdates } from '../permissions/suggestedUpdates.ts';
import type { PermissionDecision, PermissionRequest } from '../permissions/types.ts';
import { type PermissionUpdate, permissionAnswer, permissionUpdate } from '../schemas/permissionAnswer.ts';
import type { Sandbox } from '../tools/bash/sandbox.ts';
import { parseToolInput } from '../tools/parseInput.ts';
import { observedInput, type Tool } from '../tools/tool.ts';
import type { ToolContext } from '../tools/toolContext.ts';
import { serverOf } from './afterCall.ts';
import type { QueryEvent } from './events.ts';
import type { PreparedCall } from './prepareCall.ts';
import { runHooks } from './runHooks.ts';
import type { State } from './state.ts';
import type { PermissionContext } from './toolUseContext.ts';
import type { Turn } from './turn.ts';

type ReadyCall = Extract<PreparedCall, { type: 'ready' }>;

export type Admission =
  | {
      readonly type: 'admitted';
      readonly input: unknown;
      readonly contexts: readonly string[];
      readonly permissionUpdates?: readonly PermissionUpdate[];
    }
  | {
      readonly type: 'refused';
      readonly reason: string;
      readonly contexts: readonly string[];
      readonly prevented: string | null;
      /** The turn is broken off, and not only this call refused. */
      readonly interrupts?: boolean;
    }
  | { readonly type: 'deferred' };

/** No hook wants to see the call and the rules alone allow it: by far the usual case, and one without an await. */
export function isPlainlyAllowed(turn: Turn, state: State, ready: ReadyCall, context: ToolContext): boolean {
  if (turn.deps.hooks.has('PreToolUse')) return false;
  const request = ready.tool.permission(ready.input, context);
  if ('path' in request) return false;
  const { permissions } = state.toolUseContext;
  const { name } = ready.tool;
  if (request.type === 'free' && request.content === undefined && freeTools.get(permissions)?.has(name)) return true;
  if (decideByRules(state, ready.tool, request).type !== 'allow') return false;
  if (request.type === 'free' && request.content === undefined)
    freeTools.set(permissions, new Set(freeTools.get(permissions)).add(name));
  return true;
}

/** Tools whose free calls the rules were found to allow: nothing about one call could change that answer. */
const freeTools = new WeakMap<PermissionContext, ReadonlySet<string>>();

/** May this call run, and with what input? Hooks are asked first, then the rules; the stricter of both holds. */
export async function* admitCall(
  turn: Turn,
  state: State,
  ready: ReadyCall,
  context: ToolContext,
): AsyncGenerator<QueryEvent, Admission> {
  const { call, tool } = ready;
  const verdict = yield* runHooks(turn, {
    event: 'PreToolUse',
    context: state.toolUseContext,
    toolUseId: call.id,
    input: () => ({ tool_name: call.name, tool_input: ready.input, tool_use_id: call.id, ...serverOf(tool) }),
  });
  const { contexts, prevented } = verdict;
  const refuse = (reason: string): Extract<Admission, { type: 'refused' }> => ({
    type: 'refused',
    reason,
    contexts,
    prevented,
  });
  if (prevented !== null) return refuse(prevented || 'A hook ended the turn before this call.');
  const said = verdict.blocks[0] ?? (verdict.permission?.decision === 'deny' ? verdict.permission.reason : undefined);
  if (said !== undefined) return refuse(said);
  if (verdict.permission?.decision === 'defer') return { type: 'deferred' };

  const parsed = verdict.updatedInput
    ? parseToolInput(tool, verdict.updatedInput)
    : ({ type: 'ok', input: ready.input } as const);
  if (parsed.type === 'invalid') return refuse(madeInvalid('PreToolUse', tool, parsed.message));
  const input = observedInput(tool, parsed.input, context);

  // a link must not lead where its own path may not
  const byRules = decideByRules(state, tool, await resolveRequest(tool.permission(input, context)));
  const decision = applyHook(byRules, verdict, tool);
  if (decision.type === 'allow') return { type: 'admitted', input, contexts };
  const answer: Answer =
    decision.type === 'ask' ? yield* requestPermission(turn, state, { ...ready, input }, decision) : decision;
  if (answer.type === 'allow') {
    const allowed = await allowedBy(state, { ...ready, input }, answer, context);
    return allowed.type === 'admitted' ? { ...allowed, contexts } : refuse(allowed.reason);
  }
  const reason = answer.reason ?? decision.reason;
  yield turn.record(
    turn.make.system('permission_denied', reason, {
      level: 'warning',
      data: { tool_name: call.name, tool_use_id: call.id, tool_input: input },
    }),
  );
  return answer.ends ? { ...refuse(reason), interrupts: true } : refuse(reason);
}

/** A hook allowed the call, as it was or with another input. */
async function allowedBy(
  state: State,
  { tool, input }: ReadyCall,
  answer: Extract<Answer, { type: 'allow' }>,
  context: ToolContext,
): Promise<Omit<Extract<Admission, { type: 'admitted' }>, 'contexts'> | { type: 'forbidden'; reason: string }> {
  const { input: changed, permissionUpdates } = answer;
  const updates = permissionUpdates ? { permissionUpdates } : {};
  if (changed === undefined) return { type: 'admitted', input, ...updates };
  // what a hook put in the call's place is a new call: rules hold for it too
  const observed = observedInput(tool, changed, context);
  const again = decideByRules(state, tool, await resolveRequest(tool.permission(observed, context)));
  const forbidden = again.type === 'deny' || (again.type === 'ask' && again.byRule);
  return forbidden ? { type: 'forbidden', reason: again.reason } : { type: 'admitted', input: observed, ...updates };
}

/** The words for a change that the tool cannot read: the model must not take it for its own mistake. */
function madeInvalid(event: string, { name }: Tool, message: string): string {
  return `${event} hook for ${name} returned updatedInput that failed schema validation: ${message}\nThe tool input from the model was valid; the hook's rewrite of it was not.`;
}

export function decideByRules(
  state: Pick<State, 'toolUseContext'>,
  tool: Tool,
  request: PermissionRequest,
): PermissionDecision {
  const { permissions, toolServices } = state.toolUseContext;
  const { projectDir } = toolServices.directory;
  return decidePermission({
    toolName: tool.name,
    request,
    mode: permissions.mode,
    rules: permissions.rules,
    directories: [projectDir, ...permissions.additionalDirectories],
    projectDir,
    homeDir: permissions.homeDir,
    cwd: toolServices.directory.current(),
    sandboxed: isSandboxed(request, toolServices.sandbox),
  });
}

function isSandboxed(request: PermissionRequest, sandbox: Sandbox | undefined): boolean {
  return request.type === 'command' && sandbox?.allowsInside === true && sandbox.covers(request.command);
}

/**
 * A hook's `allow` spares the question but never overrides a deny rule. Its `ask` is final: no person sits in front of a
 * headless run, and another hook must not give the consent that this one wanted from a person.
 */
function applyHook(decision: PermissionDecision, verdict: HookVerdict, { name }: Tool): PermissionDecision {
  const hook = verdict.permission;
  if (hook?.decision === 'allow' && decision.type === 'ask' && !decision.byRule) return { type: 'allow' };
  if (hook?.decision !== 'ask' || decision.type === 'deny') return decision;
  return { type: 'deny', reason: hook.reason || `Hook PreToolUse:${name} asked for confirmation for this tool` };
}

type Answer =
  | {
      readonly type: 'allow';
      readonly input?: unknown;
      readonly permissionUpdates?: readonly PermissionUpdate[];
    }
  /** `ends`: the hook wants the turn over, not just this call refused. */
  | { readonly type: 'deny'; readonly reason?: string | undefined; readonly ends?: boolean | undefined };

/** Without a person at a headless run, a PermissionRequest hook is the only one who can allow the call. */
async function* requestPermission(
  turn: Turn,
  state: State,
  ready: ReadyCall,
  asked: Extract<PermissionDecision, { type: 'ask' }>,
): AsyncGenerator<QueryEvent, Answer> {
  const { call, tool, input } = ready;
  const verdict = yield* runHooks(turn, {
    event: 'PermissionRequest',
    context: state.toolUseContext,
    toolUseId: call.id,
    input: () => ({
      tool_name: call.name,
      tool_input: input,
      permission_suggestions: suggestedUpdates(asked),
      ...serverOf(tool),
    }),
  });
  const said = permissionAnswer.safeParse(verdict.specific.decision).data;
  if (said === undefined) return { type: 'deny' };
  if (said.behavior === 'deny')
    return { type: 'deny', reason: said.message || 'Permission denied by hook', ends: said.interrupt };
  const updates = said.updatedPermissions?.flatMap((one) => permissionUpdate.safeParse(one).data ?? []);
  const changed = updates?.length ? { permissionUpdates: updates } : {};
  if (!said.updatedInput) return { type: 'allow', ...changed };
  const parsed = parseToolInput(tool, said.updatedInput);
  if (parsed.type === 'ok') return { type: 'allow', input: parsed.input, ...changed };
  return { type: 'deny', reason: madeInvalid('PermissionRequest', tool, parsed.message) };
}
