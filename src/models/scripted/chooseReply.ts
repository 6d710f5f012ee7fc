import type { ScriptedReply } from '../../schemas/scriptedModel.ts';
import { conditionHolds, type ScriptedRequest } from './conditionHolds.ts';

export type ChooseReply = (sent: ScriptedRequest) => ScriptedReply | undefined;

/**
 * The one rule of a script: the first reply, from the top, that has uses left and whose `when` holds, is taken and
 * used once. So replies without `when` come in their order, and a conditional one goes above what it should precede.
 */
export function replyChooser(replies: readonly ScriptedReply[]): ChooseReply {
  const left = replies.map(({ repeat = 1 }) => (repeat === 'forever' ? Number.POSITIVE_INFINITY : repeat));
  // Used-up replies at the top are stepped over for good: a script of thousands costs the same at its end.
  let start = 0;
  return (sent) => {
    while (start < replies.length && left[start] === 0) start++;
    for (let i = start; i < replies.length; i++) {
      const reply = replies[i];
      if (!reply || left[i] === 0 || !conditionHolds(reply.when, sent)) continue;
      left[i] = (left[i] ?? 0) - 1;
      return reply;
    }
    return undefined;
  };
}
