import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../../testing/fakeClock.ts';
import type { JudgeRule } from '../../checks/types.ts';
import { type AskJudgeModel, askJudge, type JudgeReply } from './askJudge.ts';

const rule: JudgeRule = { criteria: null, model: 'm', timeoutMs: 60_000, onError: 'accept', maxRejections: 2 };
const spent = { model: 'm', inputTokens: 10, outputTokens: 1, requests: 1, usd: 0.5 };
const question = { system: 's', prompt: 'p' };
const answered = (text: string): JudgeReply => ({ type: 'answered', text });
const failed = (reason: string, isFinal = false): JudgeReply => ({ type: 'failed', reason, isFinal });

/** Replies in order; `null` hangs until it is ended. */
function judge(...replies: (JudgeReply | null)[]) {
  const prompts: string[] = [];
  const clock = fakeClock();
  const controller = new AbortController();
  const ask: AskJudgeModel = async ({ prompt, signal, onSpend }) => {
    prompts.push(prompt);
    const reply = replies[prompts.length - 1];
    if (reply === null) await new Promise((ended) => signal.addEventListener('abort', ended, { once: true }));
    onSpend(spent);
    return reply ?? failed('interrupted');
  };
  const asking = askJudge({ question, rule, mark: 'x', signal: controller.signal, clock, ask });
  return { asking, prompts, clock, controller };
}

describe('askJudge', () => {
  it.each<[string, (JudgeReply | null)[], object, number]>([
    ['an answer', [answered('{"ok": true}')], { type: 'ok' }, 1],
    [
      'an answer that had to be repaired',
      [answered('hm'), answered('{"ok": false, "reason": "r"}')],
      { type: 'rejected', reason: 'r' },
      2,
    ],
    ['a failure that passed', [failed('busy'), answered('{"ok": true}')], { type: 'ok' }, 2],
    ['a failure that stays', [failed('busy'), failed('still busy')], { type: 'none', reason: 'still busy' }, 2],
    ['a missing key', [failed('no key', true)], { type: 'none', reason: 'no key' }, 1],
    [
      'garbage again and again',
      Array(4).fill(answered('garbage')),
      { type: 'none', reason: 'the model answered without a judgment: garbage' },
      4,
    ],
    ['a model that hangs', [null, null], { type: 'none', reason: 'it took longer than 1m and was ended' }, 2],
    ['a model that hung once', [null, answered('{"ok": true}')], { type: 'ok' }, 2],
  ])('%s', async (_name, replies, judgement, requests) => {
    const { asking, prompts, clock } = judge(...replies);
    await clock.advance(3 * 60_000);
    const answer = await asking;
    expect(answer?.judgement).toMatchObject(judgement);
    expect(prompts).toHaveLength(requests);
    expect(answer?.spend).toMatchObject({ requests, usd: requests * 0.5, outputTokens: requests });
  });

  it('gives no answer when it is interrupted, also between two tries', async () => {
    const hanging = judge(null);
    hanging.controller.abort();
    expect(await hanging.asking).toBeNull();
    const waiting = judge(failed('busy'));
    await waiting.clock.advance(1);
    waiting.controller.abort();
    expect(await waiting.asking).toBeNull();
  });
});
