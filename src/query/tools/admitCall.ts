import type { HookVerdict } from '../../hooks/types.ts';
import { decidePermission } from '../../permissions/decidePermission.ts';
import { resolveRequest } from '../../permissions/makeRealPath.ts';
import { suggestedUpdates } from '../../permissions/suggestedUpdates.ts';
import type { PermissionDecision, PermissionRequest } from '../../permissions/types.ts';
import { permissionAnswer } from '../../schemas/hookOutputs.ts';
import { type PermissionUpdate, permissionUpdate } from '../../schemas/permissionAnswer.ts';
import type { Sandbox } from '../../tools/bash/sandbox.ts';
import { parseToolInput } from '../../tools/parseInput.ts';
import { observedInput, type Tool } from '../../tools/tool.ts';
import type { ToolContext } from '../../tools/toolContext.ts';
import type { QueryEvent } from '../events.ts';
import { runHooks } from '../runHooks.ts';
import type { State } from '../state.ts';
import { type PermissionContext, permissionFacts } from '../toolUseContext.ts';
import type { Turn } from '../turn.ts';
import type { PreparedCall } from './toolBatches.ts';
import { serverOf, withPermissionUpdates } from './toolCallEnd.ts';
import { toolUseError } from './toolUseError.ts';

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
      /** The turn ends, and not only this call is refused. */
      readonly interrupts?: boolean;
    }
  | { readonly type: 'deferred' };

/** No hook sees the call and the rules alone allow it: by far the usual case, and one without an await. */
export function isPlainlyAllowed(turn: Turn, state: State, ready: ReadyCall, context: ToolContext): boolean {
  if (ready.tool.whyNot || turn.deps.hooks.has('PreToolUse')) return false;
  const request = ready.tool.permission(ready.input, context);
  if ('path' in request) return false;
  const { permissions } = state.toolUseContext;
  const { name } = ready.tool;
  const isFree = request.type === 'free' && request.content === undefined;
  if (isFree && freeTools.get(permissions)?.has(name)) return true;
  if (decideByRules(state, ready.tool, request).type !== 'allow') return false;
  if (isFree) freeTools.set(permissions, new Set(freeTools.get(permissions)).add(name));
  return true;
}

/** Tools whose free calls the rules allow: nothing about one call could change that. */
const freeTools = new WeakMap<PermissionContext, ReadonlySet<string>>();

/** May this call run, and with what input? Hooks decide first, then the rules; the stricter decision holds. */
export async function* admitCall(
  turn: Turn,
  state: State,
  ready: ReadyCall,
  context: ToolContext,
): AsyncGenerator<QueryEvent, Admission> {
  const { call, tool } = ready;
  const impossible = mayLookInto(state, ready, context) ? await tool.whyNot?.(ready.input, context) : undefined;
  if (impossible !== undefined)
    return { type: 'refused', reason: toolUseError(impossible), contexts: [], prevented: null };
  const verdict = yield* runHooks(turn, {
    event: 'PreToolUse',
    context: state.toolUseContext,
    toolUseId: call.id,
    input: () => ({ tool_name: call.name, tool_input: ready.input, tool_use_id: call.id, ...serverOf(tool) }),
  });
  const { contexts, prevented } = verdict;
  const refuse = (reason: string) => ({ type: 'refused', reason, contexts, prevented }) as const;
  if (prevented !== null) return refuse(prevented || 'A hook ended the turn before this call.');
  const denial = verdict.blocks[0] ?? (verdict.permission?.decision === 'deny' ? verdict.permission.reason : undefined);
  if (denial !== undefined) return refuse(denial);
  if (verdict.permission?.decision === 'defer') return { type: 'deferred' };

  const parsed = verdict.updatedInput
    ? parseToolInput(tool, verdict.updatedInput)
    : ({ type: 'ok', input: ready.input } as const);
  if (parsed.type === 'invalid') return refuse(madeInvalid('PreToolUse', tool, parsed.message));
  const input = observedInput(tool, parsed.input, context);

  // a link must not lead to a path that the rules deny
  const request = resolveRequest(tool.permission(input, context));
  const decision = applyHook(decideByRules(state, tool, request), verdict, tool, turn.deps.person !== undefined);
  if (decision.type === 'allow') return { type: 'admitted', input, contexts };
  const answer: Answer =
    decision.type === 'ask' ? yield* requestPermission(turn, state, { ...ready, input, request }, decision) : decision;
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

/** Why a change cannot be made may tell what is in the file, so it is only found out about a file that may be read. */
function mayLookInto(state: State, { tool, input }: ReadyCall, context: ToolContext): boolean {
  if (tool.whyNot === undefined) return false;
  const request = resolveRequest(tool.permission(input, context));
  if (request.type !== 'edit') return true;
  return decideByRules(state, { name: 'Read' }, { ...request, type: 'read' }).type === 'allow';
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
  // an input that a hook changed is a new call: rules hold for it too
  const observed = observedInput(tool, changed, context);
  const again = decideByRules(state, tool, resolveRequest(tool.permission(observed, context)));
  const forbidden = again.type === 'deny' || (again.type === 'ask' && again.byRule);
  return forbidden ? { type: 'forbidden', reason: again.reason } : { type: 'admitted', input: observed, ...updates };
}

/** The model must not mistake a hook's invalid change for its own error. */
function madeInvalid(event: string, { name }: Tool, message: string): string {
  return `${event} hook for ${name} returned updatedInput that failed schema validation: ${message}\nThe tool input from the model was valid; the hook's rewrite of it was not.`;
}

export function decideByRules(
  state: Pick<State, 'toolUseContext'>,
  tool: Pick<Tool, 'name'>,
  request: PermissionRequest,
): PermissionDecision {
  const { toolServices } = state.toolUseContext;
  return decidePermission({
    ...permissionFacts(state.toolUseContext),
    toolName: tool.name,
    request,
    cwd: toolServices.directory.current(),
    sandboxed: isSandboxed(request, toolServices.sandbox),
  });
}

function isSandboxed(request: PermissionRequest, sandbox: Sandbox | undefined): boolean {
  return request.type === 'command' && sandbox?.allowsInside === true && sandbox.covers(request.command);
}

/**
 * A hook's `allow` replaces the person's consent but never overrides a deny rule. Its `ask` denies in a headless run: there is
 * no person, and another hook must not give the consent that this one wanted from a person.
 */
function applyHook(
  decision: PermissionDecision,
  verdict: HookVerdict,
  { name }: Tool,
  hasPerson: boolean,
): PermissionDecision {
  const hook = verdict.permission;
  if (hook?.decision === 'allow' && decision.type === 'ask' && !decision.byRule) return { type: 'allow' };
  if (hook?.decision !== 'ask' || decision.type === 'deny') return decision;
  const reason = hook.reason || `Hook PreToolUse:${name} asked for confirmation for this tool`;
  return hasPerson ? { type: 'ask', reason, byRule: true } : { type: 'deny', reason };
}

async function askPerson(
  { deps: { person }, signal }: Turn,
  state: State,
  { tool, input, request }: ReadyCall & { readonly request: PermissionRequest },
  { reason, suggestion = [], byRule }: Extract<PermissionDecision, { type: 'ask' }>,
): Promise<Answer> {
  if (person === undefined) return { type: 'deny' };
  const { agentId } = state.toolUseContext;
  const isAllowedAfter = (updates: readonly PermissionUpdate[]) =>
    !byRule && decideByRules(withPermissionUpdates(state, updates), tool, request).type === 'allow';
  const question = { toolName: tool.name, input, reason, suggestion, agentId, isAllowedAfter };
  const answer = await person.askPermission(question, signal);
  if (answer.type === 'deny') return answer;
  return { type: 'allow', ...(answer.updates && { permissionUpdates: answer.updates }) };
}

type Answer =
  | { readonly type: 'allow'; readonly input?: unknown; readonly permissionUpdates?: readonly PermissionUpdate[] }
  /** `ends`: the hook wants the turn over, not just this call refused. */
  | { readonly type: 'deny'; readonly reason?: string | undefined; readonly ends?: boolean | undefined };

/** A PermissionRequest hook answers first; what it leaves open is the person's. In a headless run it is denied. */
async function* requestPermission(
  turn: Turn,
  state: State,
  ready: ReadyCall & { readonly request: PermissionRequest },
  decision: Extract<PermissionDecision, { type: 'ask' }>,
): AsyncGenerator<QueryEvent, Answer> {
  const { call, tool, input } = ready;
  const verdict = yield* runHooks(turn, {
    event: 'PermissionRequest',
    context: state.toolUseContext,
    toolUseId: call.id,
    input: () => ({
      tool_name: call.name,
      tool_input: input,
      permission_suggestions: [...suggestedUpdates(decision)],
      ...serverOf(tool),
    }),
  });
  const answer = permissionAnswer.safeParse(verdict.specific.decision).data;
  if (answer === undefined) return askPerson(turn, state, ready, decision);
  if (answer.behavior === 'deny')
    return { type: 'deny', reason: answer.message || 'Permission denied by hook', ends: answer.interrupt };
  const updates = answer.updatedPermissions?.flatMap((one) => permissionUpdate.safeParse(one).data ?? []);
  const changed = updates?.length ? { permissionUpdates: updates } : {};
  if (!answer.updatedInput) return { type: 'allow', ...changed };
  const parsed = parseToolInput(tool, answer.updatedInput);
  if (parsed.type === 'ok') return { type: 'allow', input: parsed.input, ...changed };
  return { type: 'deny', reason: madeInvalid('PermissionRequest', tool, parsed.message) };
}
