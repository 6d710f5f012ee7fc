import '../requireNode.ts';
import type { Gate } from '../gate/types.ts';
import { type AdapterOptions, askVerdict, warnOnce } from './askVerdict.ts';

/** What a hook of the gate answers; a part of the SDK's `SyncHookJSONOutput`. */
export interface GateHookOutput {
  decision?: 'block';
  reason?: string;
  continue?: boolean;
  stopReason?: string;
  systemMessage?: string;
  hookSpecificOutput?:
    | { hookEventName: 'PreToolUse'; permissionDecision: 'deny'; permissionDecisionReason: string }
    | { hookEventName: 'PostToolBatch'; additionalContext: string };
}

type GateHook = (
  input: object,
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<GateHookOutput>;

export interface GateMatcher {
  hooks: GateHook[];
  /** Seconds. */
  timeout?: number;
}

/** The hooks of the gate; assignable to `Options['hooks']` of the SDK. */
export interface GateHooks {
  Stop: GateMatcher[];
  UserPromptSubmit: GateMatcher[];
  PostToolBatch: GateMatcher[];
  PreToolUse?: GateMatcher[];
}

/** Hooks of your own, by event. */
type OwnHooks = Readonly<Record<string, readonly unknown[] | undefined>>;

export interface UntilDoneOptions<Own extends object = Record<never, never>> extends AdapterOptions {
  /** Your own hooks; those of the gate are added to them. */
  readonly hooks?: Own;
}

/** Checks have timeouts of their own; Claude Code would release a stop whose hook takes longer than this. */
const STOP_SECONDS = 24 * 3600;
/** What fails when a session begins is only accepted within five minutes. */
const BEGIN_SECONDS = 6 * 60;

/**
 * Keeps a query of the Claude Agent SDK going until the gate lets it stop:
 * `query({ prompt, options: { hooks: untilDone(gate), env: gateEnv() } })`. With a deadline, the agent gets the countdown after
 * each batch of tool calls, and calls that no longer fit are refused.
 */
export function untilDone<Own extends object = Record<never, never>>(
  gate: Gate,
  options: UntilDoneOptions<Own> = {},
): Own & GateHooks {
  const session = new GatedSession(gate, options);
  const hooks: GateHooks = {
    Stop: [{ timeout: STOP_SECONDS, hooks: [session.onStop] }],
    UserPromptSubmit: [{ timeout: BEGIN_SECONDS, hooks: [session.onPrompt] }],
    PostToolBatch: [{ hooks: [session.onToolsEnded] }],
    ...(gate.timeLeft() !== null && { PreToolUse: [{ hooks: [session.onToolCall] }] }),
  };
  const own: OwnHooks = { ...options.hooks };
  const added = Object.entries(hooks).map(([event, matchers]) => [event, [...(own[event] ?? []), ...matchers]]);
  return { ...own, ...Object.fromEntries(added) };
}

/**
 * The environment for `query`: without this variable Claude Code ends a session, with an empty answer, whose stop was refused
 * eight times in a row without a tool call.
 */
export function gateEnv(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  isCapRemoved = true;
  return { ...env, [CAP]: '0' };
}

const CAP = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP';
/** The environment of the program is not visible here: whether it has the variable is known by where it comes from. */
let isCapRemoved = process.env[CAP] !== undefined;
const USUAL_CAP = 8;

const CAPPED = `stopgate: the agent was sent back more than ${USUAL_CAP} times in a row without a tool call. Claude Code then ends the session as a success, with an empty answer and nothing proven. Pass env: gateEnv() to the query.`;

class GatedSession {
  readonly #gate: Gate;
  readonly #options: AdapterOptions;
  readonly #warn: (warning: string) => void;
  /** Refused stops since the last tool call, as Claude Code counts them. */
  #refused = 0;

  constructor(gate: Gate, options: AdapterOptions) {
    this.#gate = gate;
    this.#options = options;
    this.#warn = warnOnce(options);
  }

  /** The agent must not edit files before its definition of done is frozen. */
  readonly onPrompt: GateHook = async () => {
    // a failure to begin is a verdict of the first stop
    await this.#gate.begin().catch(() => {});
    return {};
  };

  readonly onStop: GateHook = async (input, _id, { signal }) => {
    const event = input as { readonly last_assistant_message?: string; readonly background_tasks?: readonly unknown[] };
    try {
      const stop = { answer: event.last_assistant_message, background: event.background_tasks, event: input, signal };
      const verdict = await askVerdict(this.#gate, stop, this.#options);
      if (verdict.type === 'stop') return {};
      this.#refused++;
      if (this.#refused > USUAL_CAP && !isCapRemoved) this.#warn(CAPPED);
      return { decision: 'block', reason: verdict.feedback };
    } catch (error) {
      // what a stop hook throws would let the agent stop as if it had passed
      const reason = `The gate failed: ${error instanceof Error ? error.message : String(error)}`;
      this.#warn(`stopgate: ${reason}`);
      return { continue: false, stopReason: reason, systemMessage: reason };
    }
  };

  readonly onToolsEnded: GateHook = async () => {
    this.#refused = 0;
    const countdown = this.#gate.countdown();
    if (countdown === null) return {};
    return { hookSpecificOutput: { hookEventName: 'PostToolBatch', additionalContext: countdown } };
  };

  readonly onToolCall: GateHook = async (input) => {
    const { tool_name: name = '', tool_input } = input as {
      readonly tool_name?: string;
      readonly tool_input?: unknown;
    };
    const answer = await this.#gate.mayRun({ name, input: tool_input });
    if (answer.type === 'pass') return {};
    const refusal = { permissionDecision: 'deny', permissionDecisionReason: answer.reason } as const;
    return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...refusal } };
  };
}
