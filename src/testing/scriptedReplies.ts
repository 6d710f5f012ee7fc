import { replyChooser } from '../models/scripted/chooseReply.ts';
import { scriptedModel } from '../models/scripted/scriptedModel.ts';
import type { Model, ModelRequest } from '../models/types.ts';
import type { ScriptedReply } from '../schemas/scriptedModel.ts';
import { type Clock, systemClock } from '../system/clock.ts';

export type { ScriptedReply };

/** Answers request `n`, counted from 0; undefined means that the script is exhausted. */
export type ReplyFunction = (request: ModelRequest, n: number) => ScriptedReply | undefined;

export interface ScriptedReplies extends Model {
  /** Every request so far, in order, including failed ones. */
  readonly requests: ModelRequest[];
}

export interface ScriptedRepliesOptions {
  readonly id?: string;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly clock?: Clock;
}

/** A model for tests and examples: the engine of `scripted:FILE`, with its replies written in code. */
export function scriptedReplies(
  replies: readonly ScriptedReply[] | ReplyFunction,
  options: ScriptedRepliesOptions = {},
): ScriptedReplies {
  const model = scriptedModel({
    id: options.id ?? 'scripted:in-code',
    scriptName: 'in code',
    contextWindow: options.contextWindow,
    maxOutputTokens: options.maxOutputTokens,
    choose: typeof replies === 'function' ? ({ request, index }) => replies(request, index) : replyChooser(replies),
    clock: options.clock ?? systemClock,
  });
  const requests: ModelRequest[] = [];
  return {
    ...model,
    requests,
    stream: (request) => {
      requests.push(request);
      return model.stream(request);
    },
  };
}
