import type { Gate } from '../../gate/types.ts';
import { type AdapterOptions, askVerdict } from '../askVerdict.ts';
import { whenFrozen } from '../whenFrozen.ts';
import { TurnRecord, userMessage } from './record.ts';
import type { PiTurn, UserMessage } from './types.ts';

/** Fields of an `AgentLoopConfig` of pi-agent-core. */
export interface LoopConfig {
  finishTurn(turn: PiTurn, signal?: AbortSignal): Promise<undefined>;
  getFollowUpMessages(): Promise<UserMessage[]>;
  prepareNextTurn(turn: PiTurn): Promise<{ messages: UserMessage[] } | undefined>;
  prepareRequest(): Promise<undefined>;
}

/** For `agentLoop` and `runAgentLoop`: `{ ...config, ...untilDone(gate) }`. One loop at a time. */
export function untilDone(gate: Gate, options: AdapterOptions = {}): LoopConfig {
  const record = new TurnRecord();
  let lastSignal: AbortSignal | undefined;
  return {
    finishTurn: async ({ message }, signal) => {
      record.add(message);
      lastSignal = signal;
      return undefined;
    },
    getFollowUpMessages: async () => {
      const verdict = await askVerdict(gate, record.stop(lastSignal), options);
      return verdict.type === 'goOn' ? [userMessage(verdict.feedback)] : [];
    },
    prepareNextTurn: async () => {
      const line = gate.countdown();
      return line === null ? undefined : { messages: [userMessage(line)] };
    },
    prepareRequest: () => frozen(gate),
  };
}

/** What is used of an `Agent` of pi-agent-core. */
export interface PiAgent {
  finishTurn?(turn: PiTurn, signal?: AbortSignal): unknown;
  prepareRequest?(request: object, signal?: AbortSignal): unknown;
  hasQueuedMessages(): boolean;
  prepareNextTurn?(signal?: AbortSignal): unknown;
  prepareNextTurnWithContext?(turn: PiTurn, signal?: AbortSignal): unknown;
  followUp(message: UserMessage): void;
}

/**
 * For the `Agent` class, which has no option for follow-ups but a queue of them. Callbacks that it has go first. A run that a tool
 * ends (`terminate`) is not asked about: an `Agent` does not tell it from one that goes on.
 */
export function gateAgent(agent: PiAgent, gate: Gate, options: AdapterOptions = {}): void {
  const record = new TurnRecord();
  const finish = agent.finishTurn?.bind(agent);
  const prepare = agent.prepareRequest?.bind(agent);
  agent.prepareRequest = async (request, signal) => {
    const update = await prepare?.(request, signal);
    await frozen(gate);
    return update;
  };
  agent.finishTurn = async (turn, signal) => {
    record.add(turn.message);
    const decision = await finish?.(turn, signal);
    if (decision !== undefined || !isFinal(turn) || agent.hasQueuedMessages()) return decision;
    const verdict = await askVerdict(gate, record.stop(signal), options);
    if (verdict.type === 'goOn') agent.followUp(userMessage(verdict.feedback));
    return decision;
  };
  addCountdown(agent, gate);
}

/** Where the loop is sure to continue. A steered message would also continue a run that a tool has ended. */
function addCountdown(agent: PiAgent, gate: Gate): void {
  const own = agent.prepareNextTurnWithContext?.bind(agent);
  agent.prepareNextTurnWithContext = async (turn, signal) => {
    // pi calls the other one only when this one is missing
    const update = await (own ? own(turn, signal) : agent.prepareNextTurn?.(signal));
    const line = gate.countdown();
    return line === null ? update : { ...toObject(update), messages: [...messagesOf(update), userMessage(line)] };
  };
}

const toObject = (update: unknown) => (typeof update === 'object' && update !== null ? update : {});

function messagesOf(update: unknown): unknown[] {
  const messages = Reflect.get(toObject(update), 'messages');
  return Array.isArray(messages) ? messages : [];
}

function isFinal({ message: { stopReason }, toolResults }: PiTurn): boolean {
  return toolResults.length === 0 && stopReason !== 'error' && stopReason !== 'aborted';
}

async function frozen(gate: Gate): Promise<undefined> {
  await whenFrozen(gate);
}
