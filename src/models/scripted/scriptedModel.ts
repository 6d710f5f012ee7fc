import type { Clock } from '../../system/clock.ts';
import type { Model, ModelEvent, ModelRequest } from '../types.ts';
import { type ChooseReply, lastUserText } from './chooseReply.ts';
import { playReply } from './playReply.ts';

export interface ScriptedModelOptions {
  readonly id: string;
  /** The script's file name, for messages. */
  readonly scriptName: string;
  readonly modelName?: string | undefined;
  readonly contextWindow?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly choose: ChooseReply;
  readonly clock: Clock;
}

/** A model that answers from a script. One instance serves one conversation: it counts the used replies. */
export function scriptedModel(options: ScriptedModelOptions): Model {
  const { id, scriptName, modelName = 'scripted', choose, clock } = options;
  let requests = 0;
  return {
    id,
    contextWindow: options.contextWindow ?? 200_000,
    maxOutputTokens: options.maxOutputTokens ?? 32_000,
    stream: (request) => {
      if (request.signal.aborted) return nothing();
      const index = requests++;
      const reply = choose({ request, index });
      if (!reply) return ranOut(scriptName, request, index);
      const replyId = `scripted_${index + 1}`;
      return playReply(reply, { modelName, replyId, clock, signal: request.signal });
    },
  };
}

async function* nothing(): AsyncGenerator<ModelEvent, void> {}

async function* ranOut(script: string, request: ModelRequest, index: number): AsyncGenerator<ModelEvent, void> {
  const text = lastUserText(request).replace(/\s+/g, ' ').trim();
  const shown = text.length > 160 ? `${text.slice(0, 160)}…` : text;
  const message = `the script ${script} has no reply left for request ${index + 1}, whose last user message is “${shown}”; add a reply, or "repeat": "forever" to the last one`;
  yield { type: 'failed', failure: { errorClass: 'unknown', message, retryable: false } };
}
