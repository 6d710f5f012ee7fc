import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../../testing/fakeClock.ts';
import type { Engine } from '../engine.ts';
import { openEngine } from '../openFile.ts';
import { type Client, groupCommit } from './groupCommit.ts';

function memoryEngine(): Engine {
  const engine = openEngine({ path: ':memory:', clock: fakeClock() });
  if ('type' in engine) throw new Error(engine.reason);
  return engine;
}

const client = (): Client => ({ queue: [], gone: false });

describe('groupCommit', () => {
  it('commits concurrent requests together, one request of each client first', async () => {
    using disposing = new DisposableStack();
    const engine = disposing.adopt(memoryEngine(), ({ close }) => close());
    let commits = 0;
    engine.onCommit(() => commits++);
    const commit = groupCommit(engine);
    const order: string[] = [];
    const submit = (who: Client, name: string) =>
      new Promise<void>((resolve) => {
        const reply = () => {
          order.push(name);
          resolve();
        };
        commit(who, { operation: 'lead', request: { name, holder: 'x', ttlMs: 1 }, reply });
      });
    const [greedy, modest] = [client(), client()];
    await Promise.all([submit(greedy, 'a1'), submit(greedy, 'a2'), submit(greedy, 'a3'), submit(modest, 'b1')]);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
    expect(commits).toBe(3);
  });

  it('undoes nothing of the others when one goes wrong', async () => {
    using disposing = new DisposableStack();
    const engine = disposing.adopt(memoryEngine(), ({ close }) => close());
    const commit = groupCommit(engine);
    const submit = (request: object, operation: 'lead' | 'claim' = 'lead') =>
      new Promise<object>((resolve) => commit(client(), { operation, request, reply: resolve }));
    const outcomes = await Promise.all([
      submit({ name: 'one', holder: 'x', ttlMs: 1 }),
      // a bug: a name that no column can hold
      submit({ name: { not: 'a text' }, holder: 'x', ttlMs: 1 }),
      submit({ name: 'two', holder: 'x', ttlMs: 1 }),
    ]);
    expect(outcomes[0]).toMatchObject({ type: 'leading', epoch: 1 });
    expect(outcomes[1]).toBeInstanceOf(Error);
    expect(outcomes[2]).toMatchObject({ type: 'leading', epoch: 1 });
    expect(engine.perform('lead', { name: 'two', holder: 'y', ttlMs: 1 })).toMatchObject({ type: 'following' });
  });

  it('does nothing for who has hung up', async () => {
    using disposing = new DisposableStack();
    const engine = disposing.adopt(memoryEngine(), ({ close }) => close());
    const commit = groupCommit(engine);
    const gone = client();
    commit(gone, { operation: 'lead', request: { name: 'x', holder: 'gone', ttlMs: 1 }, reply: () => {} });
    gone.gone = true;
    const outcome = await new Promise<object>((resolve) =>
      commit(client(), { operation: 'lead', request: { name: 'x', holder: 'here', ttlMs: 1 }, reply: resolve }),
    );
    expect(outcome).toMatchObject({ type: 'leading' });
  });
});
