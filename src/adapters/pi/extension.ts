import { createGate } from '../../gate/createGate.ts';
import type { Gate } from '../../gate/types.ts';
import { terminalText } from '../../system/terminalText.ts';
import { type AdapterOptions, askVerdict, warnOnce } from '../askVerdict.ts';
import { whenFrozen } from '../whenFrozen.ts';
import { TurnRecord } from './record.ts';
import { type Boundary, type BoundaryResult, entry, type PiApi, type PiContext, type TurnEnd } from './types.ts';

export interface ExtensionOptions extends AdapterOptions {
  /** Default: the `stopgate.config.json` of the session's folder. */
  readonly gate?: (session: { readonly cwd: string; readonly sessionId: string }) => Gate;
}

/**
 * An extension of the pi coding agent. The gate sits at `turn_end`, because a run that is aborted there ends the checks; at
 * `agent_before_settle` pi gives no signal. It is asked there only about runs that a tool ended.
 */
export function stopgate(options: ExtensionOptions = {}): (pi: PiApi) => void {
  return (pi) => {
    const session = new PiSession(options);
    pi.on('session_start', (_, context) => void session.begin(context));
    pi.on('before_agent_start', (_, context) => session.beforeStart(context));
    pi.on('turn_end', (event, context) => session.turnEnd(event, context));
    pi.on('agent_before_settle', (event, context) => session.beforeSettle(event, context));
  };
}

class PiSession {
  readonly #options: ExtensionOptions;
  readonly #warn: (warning: string) => void;
  #record = new TurnRecord();
  readonly #shown = new Set<string>();
  #gate: Gate | undefined;
  /** The last turn has been answered, so that settling needs no second answer. */
  #isAnswered = false;

  constructor(options: ExtensionOptions) {
    this.#options = options;
    this.#warn = warnOnce({ onWarning: toStderr, ...options });
  }

  begin({ cwd, sessionManager }: PiContext): Gate {
    const { gate = (session) => createGate({ ...session, agent: 'pi' }) } = this.#options;
    this.#record = new TurnRecord();
    this.#gate = gate({ cwd, sessionId: sessionManager.getSessionId() });
    return this.#gate;
  }

  /** The definition of done is frozen before the agent can edit it. Sessions of pi's SDK may begin without `session_start`. */
  async beforeStart(context: PiContext): Promise<undefined> {
    const notes = await whenFrozen(this.#gate ?? this.begin(context));
    this.#show(notes, context);
    return undefined;
  }

  async turnEnd(event: TurnEnd, context: PiContext): Promise<BoundaryResult | undefined> {
    this.#record.add(event.message);
    this.#isAnswered = false;
    if (event.outcome !== 'completed') return undefined;
    if (event.toolResults.length > 0) return this.#countdown(event);
    if (event.continue || context.hasPendingMessages()) return undefined;
    return this.#ask(event, context);
  }

  async beforeSettle(event: Boundary, context: PiContext): Promise<BoundaryResult | undefined> {
    const isOver = this.#isAnswered || event.continue || event.outcome !== 'completed';
    return isOver ? undefined : this.#ask(event, context);
  }

  async #ask(event: Boundary, context: PiContext): Promise<BoundaryResult | undefined> {
    const gate = this.#gate ?? this.begin(context);
    this.#isAnswered = true;
    const verdict = await askVerdict(gate, this.#record.stop(context.signal), this.#options);
    this.#show(verdict.notes, context);
    if (verdict.type === 'stop') return undefined;
    const words = [verdict.feedback, gate.countdown()].filter((text) => text !== null);
    return withEntry(event, entry(words.join('\n\n'), true), true);
  }

  #countdown(event: Boundary): BoundaryResult | undefined {
    const line = this.#gate?.countdown() ?? null;
    return line === null ? undefined : withEntry(event, entry(line, false));
  }

  /** Each sentence once: a session meets the same one at every prompt. */
  #show(notes: readonly string[], { hasUI, ui }: PiContext): void {
    for (const note of notes) {
      if (hasUI && !this.#shown.has(note)) ui.notify(note, 'warning');
      else if (!hasUI) this.#warn(note);
      this.#shown.add(note);
    }
  }
}

/** pi switches the warnings of the process off. */
function toStderr(warning: string): void {
  process.stderr.write(`${terminalText(warning)}\n`);
}

function withEntry(event: Boundary, added: BoundaryResult['entries'][number], goesOn?: true): BoundaryResult {
  // pi's own drafts: what other extensions proposed stays before ours
  const entries = [...(event.entries as BoundaryResult['entries']), added];
  return goesOn ? { entries, continue: true } : { entries };
}
