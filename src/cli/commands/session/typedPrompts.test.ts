import { describe, expect, it } from 'vitest';
import { TypedPrompts } from './typedPrompts.ts';

describe('TypedPrompts', () => {
  it('keeps a prompt that a turn took until it is in the transcript', async () => {
    const kept: (readonly string[])[] = [];
    const prompts = new TypedPrompts(() => kept.push(prompts.unsaved));
    prompts.add('first', 'queue');
    prompts.add('steer', 'steer');
    expect(await prompts.next()).toBe('first');
    expect(prompts.waiting.map(({ text }) => text)).toEqual(['steer']);
    expect(prompts.takeSteering()).toEqual(['steer']);
    expect(prompts.unsaved).toEqual(['first', 'steer']);
    prompts.saved();
    expect(prompts.unsaved).toEqual([]);
    expect(kept).toEqual([['first'], ['first', 'steer'], ['first', 'steer'], ['first', 'steer'], []]);
  });
});
