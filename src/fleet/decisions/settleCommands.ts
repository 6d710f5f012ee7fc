import type { Lease } from '../../store/types.ts';

/** How an agent settles the task that it was handed; the epoch is the proof that it is still its own. */
export function settleCommands({ taskId, epoch }: Pick<Lease, 'taskId' | 'epoch'>): readonly string[] {
  const claim = `${taskId} --epoch ${epoch}`;
  return [
    `done: stopgate task complete ${claim} --result "what you did"`,
    `cannot be done: stopgate task fail ${claim} --error "why"`,
    `give it back: stopgate task release ${claim} --note "what the next one should know"`,
  ];
}
