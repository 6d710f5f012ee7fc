import { describe, expect, it } from 'vitest';
import { type BackgroundTask, type BackgroundTaskEnd, backgroundTasks, taskNotification } from './backgroundTasks.ts';

const task = (id: string, owner?: string): BackgroundTask => ({
  id,
  type: 'shell',
  description: `task ${id}`,
  toolUseId: `toolu_${id}`,
  owner,
  outputFile: undefined,
  facts: { command: 'sleep 1' },
});
const DONE: BackgroundTaskEnd = { status: 'completed', summary: 'It is over' };
const never = new AbortController().signal;

describe('background tasks', () => {
  it('are running until they end, and then reported once', async () => {
    const tasks = backgroundTasks();
    const { promise, resolve } = Promise.withResolvers<BackgroundTaskEnd>();
    tasks.add(task('a'), promise, () => {});
    expect(tasks.running().map(({ id }) => id)).toEqual(['a']);
    expect(tasks.hasEnded()).toBe(false);
    resolve(DONE);
    await tasks.nextEnd(never);
    expect(tasks.running()).toEqual([]);
    expect(tasks.takeEnded()).toMatchObject([{ status: 'completed', task: { id: 'a' } }]);
    expect(tasks.takeEnded()).toEqual([]);
  });

  it('are waited for no longer than the signal lasts, and not when none runs', async () => {
    const tasks = backgroundTasks();
    await tasks.nextEnd(never);
    tasks.add(task('a'), new Promise(() => {}), () => {});
    const abort = new AbortController();
    const waiting = tasks.nextEnd(abort.signal);
    abort.abort();
    await waiting;
    expect(tasks.hasEnded()).toBe(false);
  });

  it('that their agent ended itself are not reported', async () => {
    const tasks = backgroundTasks();
    tasks.add(task('a'), Promise.resolve(undefined), () => {});
    await tasks.nextEnd(never);
    expect(tasks.running()).toEqual([]);
    expect(tasks.takeEnded()).toEqual([]);
  });

  it("belong to the agent that started them, and to the main agent once that one's turn is over", async () => {
    const tasks = backgroundTasks();
    tasks.add(task('a', 'sub'), Promise.resolve(DONE), () => {});
    tasks.add(task('b', 'sub'), new Promise(() => {}), () => {});
    await Promise.resolve();
    expect([tasks.running().length, tasks.running('sub').length]).toEqual([0, 1]);
    expect([tasks.hasEnded(), tasks.hasEnded('sub')]).toEqual([false, true]);
    tasks.adopt('sub');
    expect(tasks.running().map(({ id }) => id)).toEqual(['b']);
    expect(tasks.takeEnded().map(({ task: { id } }) => id)).toEqual(['a']);
  });

  it('are all stopped', () => {
    const tasks = backgroundTasks();
    const stopped: string[] = [];
    for (const id of ['a', 'b']) tasks.add(task(id), new Promise(() => {}), () => stopped.push(id));
    tasks.stopAll();
    expect(stopped).toEqual(['a', 'b']);
  });
});

it('a notification names the output only where it is kept', () => {
  const ended = { task: task('a'), ...DONE };
  expect(taskNotification(ended)).toBe(
    '<task-notification>\n<task-id>a</task-id>\n<tool-use-id>toolu_a</tool-use-id>\n<status>completed</status>\n<summary>It is over</summary>\n</task-notification>',
  );
  expect(taskNotification({ ...ended, task: { ...ended.task, outputFile: '/out' } })).toContain(
    '\n<output-file>/out</output-file>\n',
  );
});
