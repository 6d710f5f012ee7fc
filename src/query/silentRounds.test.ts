import { expect, it } from 'vitest';
import { runTurn } from '../testing/runTurn.ts';
import type { ScriptedReply } from '../testing/scriptedReplies.ts';
import { fakeTool } from '../testing/tools.ts';

const CALL: ScriptedReply = { tools: [{ name: 'Look', input: {} }] };
const SPOKEN: ScriptedReply = { text: 'still here', ...CALL };
const times = (n: number) => Array.from({ length: n }, () => CALL);

/** The requests that were the first to carry a further reminder. */
async function remindedAt(replies: readonly ScriptedReply[]): Promise<number[]> {
  const { model } = await runTurn({ replies: [...replies, { text: 'done' }], tools: [fakeTool('Look')] });
  const counts = model.requests.map(
    ({ messages }) => JSON.stringify(messages.toArray()).split("hasn't heard from you in a while").length - 1,
  );
  return counts.flatMap((count, n) => (count > (counts[n - 1] ?? 0) ? [n] : []));
}

it.each([
  ['four silent rounds', times(4), []],
  ['five', times(5), [5]],
  ['eleven', times(11), [5, 10]],
  ['words between', [...times(4), SPOKEN, ...times(4)], []],
  ['words, then five', [SPOKEN, ...times(5)], [6]],
])('reminds the model of the person after %s', async (_, replies, expected) => {
  expect(await remindedAt(replies)).toEqual(expected);
});
