import type { HookVerdict } from '../hooks/types.ts';
import { permissionAnswer } from '../schemas/permissionAnswer.ts';
import { decidePermission } from '../session/permissions/decidePermission.ts';
import { resolveRequest } from '../session/permissions/resolveForPermission.ts';
import type { PermissionDecision, PermissionRequest } from '../session/permissions/types.ts';
import { parseToolInput } from '../tools/parseInput.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolContext } from '../tools/toolContext.ts';
import type { QueryEvent } from './events.ts';
import type { PreparedCall } from './prepareCall.ts';
import { runHooks } from './runHooks.ts';
import type { State } from './state.ts';
import type { Telling } from './telling.ts';
import type { PermissionContext } from './toolUseContext.ts';
import type { Turn } from './turn.ts';

type ReadyCall = Extract<PreparedCall, { type: 'ready' }>;

export type Admission =
  | { readonly type: 'admitted'; readonly input: unknown; readonly contexts: readonly string[] }
  | {
      readonly type: 'refused';
      readonly reason: string;
      readonly contexts: readonly string[];
      readonly prevented: string | null;
    };

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
    input: () => ({ tool_name: call.name, tool_input: ready.input, tool_use_id: call.id }),
  });
  const { contexts, prevented } = verdict;
  const refuse = (reason: string, ending = prevented): Admission => ({
    type: 'refused',
    reason,
    contexts,
    prevented: ending,
  });
  if (prevented !== null) return refuse(prevented || 'A hook ended the turn before this call.');
  const said = verdict.blocks[0] ?? (verdict.permission?.decision === 'deny' ? verdict.permission.reason : undefined);
  if (said !== undefined) return refuse(said);

  const parsed = verdict.updatedInput
    ? parseToolInput(tool, verdict.updatedInput)
    : ({ type: 'ok', input: ready.input } as const);
  if (parsed.type === 'invalid') return refuse(`A PreToolUse hook changed the input: ${parsed.message}`);
  const input = parsed.input;

  // a link must not lead where its own path may not
  const decision = applyHook(
    decideByRules(state, tool, await resolveRequest(tool.permission(input, context))),
    verdict,
  );
  if (decision.type === 'allow') return { type: 'admitted', input, contexts };
  const answer = decision.type === 'ask' ? yield* requestPermission(turn, state, { ...ready, input }) : decision;
  if (answer.type === 'allow' && answer.input === undefined) return { type: 'admitted', input, contexts };
  if (answer.type === 'allow') {
    // what a hook put in the call's place is a new call: rules hold for it too
    const again = decideByRules(state, tool, await resolveRequest(tool.permission(answer.input, context)));
    const forbidden = again.type === 'deny' || (again.type === 'ask' && again.byRule);
    return forbidden ? refuse(again.reason) : { type: 'admitted', input: answer.input, contexts };
  }
  const reason = answer.reason ?? decision.reason;
  if (decision.type === 'ask') yield* notifyUnanswered(turn, state, reason);
  yield turn.record(
    turn.make.system('permission_denied', reason, {
      level: 'warning',
      data: { tool_name: call.name, tool_use_id: call.id, tool_input: input },
    }),
  );
  return answer.type === 'deny' && 'ends' in answer && answer.ends ? refuse(reason, reason) : refuse(reason);
}

/** Whoever watches over headless runs learns here that one of them would have asked. */
function notifyUnanswered(turn: Turn, state: State, message: string): Telling<HookVerdict> {
  const input = () => ({ message, title: 'Permission needed', notification_type: 'permission_prompt' });
  return runHooks(turn, { event: 'Notification', context: state.toolUseContext, input });
}

function decideByRules(state: State, tool: Tool, request: PermissionRequest): PermissionDecision {
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
  });
}

/** A hook's `allow` spares the question but never overrides a deny rule; its `ask` overrides an allow. */
function applyHook(decision: PermissionDecision, verdict: HookVerdict): PermissionDecision {
  const hook = verdict.permission;
  if (hook?.decision === 'allow' && decision.type === 'ask' && !decision.byRule) return { type: 'allow' };
  if (hook?.decision === 'ask' && decision.type === 'allow') return { type: 'ask', reason: hook.reason };
  return decision;
}

type Answer =
  | { readonly type: 'allow'; readonly input?: unknown }
  /** `ends`: the hook wants the turn over, not just this call refused. */
  | { readonly type: 'deny'; readonly reason?: string | undefined; readonly ends?: boolean | undefined };

/** Nobody sits in front of a headless run, so a PermissionRequest hook is the only one who can say yes. */
async function* requestPermission(turn: Turn, state: State, ready: ReadyCall): AsyncGenerator<QueryEvent, Answer> {
  const { call, tool, input } = ready;
  const verdict = yield* runHooks(turn, {
    event: 'PermissionRequest',
    context: state.toolUseContext,
    toolUseId: call.id,
    input: () => ({ tool_name: call.name, tool_input: input }),
  });
  const said = permissionAnswer.safeParse(verdict.specific.decision).data;
  if (said?.behavior !== 'allow') return { type: 'deny', reason: said?.message, ends: said?.interrupt };
  if (!said.updatedInput) return { type: 'allow' };
  const parsed = parseToolInput(tool, said.updatedInput);
  return parsed.type === 'ok' ? { type: 'allow', input: parsed.input } : { type: 'deny', reason: parsed.message };
}
