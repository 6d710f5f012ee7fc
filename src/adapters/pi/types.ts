/** What is read of a message of pi. Nothing is imported, so that any version with these fields fits. */
export interface PiMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly usage?: unknown;
}

export interface UserMessage {
  role: 'user';
  content: string;
  timestamp: number;
}

/** What is read of the turn that pi-agent-core gives to `finishTurn`. */
export interface PiTurn {
  readonly message: PiMessage & { readonly stopReason: string };
  readonly toolResults: readonly object[];
}

/** What is used of the API of pi's extensions. */
export interface PiApi {
  on(event: 'session_start', handler: (event: object, context: PiContext) => void): unknown;
  on(event: 'before_agent_start', handler: (event: object, context: PiContext) => Promise<undefined>): unknown;
  on(event: 'turn_end', handler: (event: TurnEnd, context: PiContext) => Promise<BoundaryResult | undefined>): unknown;
  on(
    event: 'agent_before_settle',
    handler: (event: Boundary, context: PiContext) => Promise<BoundaryResult | undefined>,
  ): unknown;
}

export interface PiContext {
  readonly cwd: string;
  readonly hasUI: boolean;
  readonly ui: { notify(message: string, type?: 'info' | 'warning' | 'error'): void };
  readonly signal: AbortSignal | undefined;
  readonly sessionManager: { getSessionId(): string };
  hasPendingMessages(): boolean;
}

export interface Boundary {
  readonly entries: object[];
  readonly continue: boolean;
  readonly outcome: string;
}

export interface TurnEnd extends Boundary {
  readonly message: PiMessage;
  readonly toolResults: readonly object[];
}

interface MessageEntry {
  type: 'custom_message';
  customType: 'stopgate';
  content: string;
  display: boolean;
}

/** Entries of other extensions are passed on as they came. */
export interface BoundaryResult {
  entries: MessageEntry[];
  continue?: boolean;
}

export function entry(content: string, display: boolean): MessageEntry {
  return { type: 'custom_message', customType: 'stopgate', content, display };
}
