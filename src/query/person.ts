import type { RequestPrompt } from '../hooks/types.ts';
import type { PermissionUpdate } from '../schemas/permissionAnswer.ts';
import type { CacheSafeParams } from './stop/stopWork.ts';

/** The person in front of a session. A headless one has none. */
export interface Person {
  /** What was typed for the running turn, since the last call. */
  takeSteering(): readonly string[];
  /** What they changed of the permissions while it works, since the last call. */
  takePermissionUpdates(): readonly PermissionUpdate[];
  /** Called before each request of the main agent: side questions start with the same bytes. */
  seesRequest(request: CacheSafeParams): void;
  /** Asks about one call; several agents may ask at a time. */
  askPermission(question: PermissionQuestion, signal: AbortSignal): Promise<PersonsAnswer>;
  /** Asks for a hook. */
  readonly requestPrompt?: RequestPrompt;
}

export interface PermissionQuestion {
  readonly toolName: string;
  readonly input: unknown;
  /** Why it is asked. */
  readonly reason: string;
  /** Rules that would allow this call from now on; empty when there are none. */
  readonly suggestion: readonly string[];
  /** The subagent that asks; undefined for the main agent. */
  readonly agentId: string | undefined;
  /** Whether these changes make the question superfluous. */
  isAllowedAfter(updates: readonly PermissionUpdate[]): boolean;
}

export type PersonsAnswer =
  | { readonly type: 'allow'; readonly updates?: readonly PermissionUpdate[] }
  /** `ends`: the turn ends too, so that the person can say what to do instead. */
  | { readonly type: 'deny'; readonly reason?: string; readonly ends?: boolean };
