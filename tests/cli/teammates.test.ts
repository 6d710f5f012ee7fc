import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerReply } from '../../src/testing/modelServer.ts';
import { type TestProject, testProject } from '../support/project.ts';

type Turn = readonly (ServerReply | (() => Promise<ServerReply>))[];

/** A project whose agents each follow their own script, and what their tools last told them. */
async function teamProject(scripts: Readonly<Record<string, Turn>>) {
  const told: Record<string, string> = {};
  const project = await testProject(async (body) => {
    const [, name = ''] = /I am (\w+)\./.exec(JSON.stringify(body.messages)) ?? [];
    const results = body.messages.at(-1).content.filter((block: { type: string }) => block.type === 'tool_result');
    if (results.length > 0) told[name] = JSON.stringify(results.map(({ content }: { content: unknown }) => content));
    const replies = body.messages.filter(({ role }: { role: string }) => role === 'assistant').length;
    const reply = scripts[name]?.[replies] ?? { text: 'That is all.' };
    return typeof reply === 'function' ? reply() : reply;
  });
  const start = (name: string, ...more: string[]) =>
    project.start(['-p', `I am ${name}.`, '--team', 'crew', '--name', name, ...more]);
  return { ...project, told, teammate: start };
}

const add = (...subjects: string[]): ServerReply => ({
  tools: subjects.map((subject) => ({ name: 'TaskCreate', input: { subject, description: `Do ${subject}.` } })),
});
const update = (taskId: string, change: object): ServerReply => ({
  tools: [{ name: 'TaskUpdate', input: { taskId, ...change } }],
});
const start = (taskId: string) => update(taskId, { status: 'in_progress' });
const done: ServerReply = { text: 'Done.' };

/** Answers everybody at once, when so many have asked. */
function meeting(count: number): (reply: ServerReply) => () => Promise<ServerReply> {
  let here = 0;
  const all = Promise.withResolvers<void>();
  return (reply) => async () => {
    if (++here === count) all.resolve();
    await all.promise;
    return reply;
  };
}

const tasksOf = async (project: TestProject, ...args: string[]) =>
  (await project.run(['task', 'list', '--queue', 'team-crew', '--json', ...args])).lines[0].tasks.toSorted(
    (a: { id: string }, b: { id: string }) => Number.parseInt(a.id, 10) - Number.parseInt(b.id, 10),
  );

describe.concurrent('teammates', () => {
  it('of two who start one task at once one has it, and the other is told who', async () => {
    const [first, second] = [meeting(2), meeting(2)];
    const turn = () => [first(start('1')), second(update('1', { status: 'completed' })), done];
    await using project = await teamProject({ eve: [add('Parse'), done], ada: turn(), bob: turn() });
    expect(await project.teammate('eve').ended).toMatchObject({ code: 0, stderr: '' });
    const ends = await Promise.all([project.teammate('ada').ended, project.teammate('bob').ended]);
    expect(ends).toMatchObject([{ code: 0 }, { code: 0 }]);
    const [task] = await tasksOf(project);
    expect(task).toMatchObject({ id: '1.team-crew', title: 'Parse', status: 'done', epoch: 1 });
    const winner = task.result.replace(/Completed by (\w+)\./, '$1');
    const loser = winner === 'ada' ? 'bob' : 'ada';
    expect(project.told[winner]).toContain('Task #1 updated: status');
    expect(project.told[loser]).toMatch(
      new RegExp(`Task #1 (is being worked on|was (already )?completed) by ${winner}`),
    );
  });

  it('a worker and a teammate never have one task at once', async () => {
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<ServerReply>();
    const waits = () => {
      held.resolve();
      return asked.promise;
    };
    await using project = await teamProject({
      ada: [add('Parse', 'Print'), start('1'), waits, update('2', { status: 'in_progress' }), done],
    });
    const ada = project.teammate('ada');
    await held.promise;
    const claim = async (worker: string) =>
      (await project.run(['task', 'claim', '--queue', 'team-crew', '--json', '--worker', worker])).lines[0];
    expect(await claim('build-1')).toMatchObject({ task: { title: 'Print' } });
    expect(await claim('build-2')).toMatchObject({ type: 'empty' });
    expect(await tasksOf(project)).toMatchObject([{ holder: 'team-crew/1/ada' }, { holder: 'build-1' }]);
    asked.resolve({ tools: [{ name: 'TaskList', input: {} }] });
    expect(await ada.ended).toMatchObject({ code: 0 });
    expect(project.told.ada).toContain('Task #2 is being worked on by build-1.');
    expect(await tasksOf(project)).toMatchObject([{ status: 'ready' }, { status: 'claimed' }]);
    const worker = ['worker', 'run', '--queue', 'team-crew', '--idle-timeout', '1s', '--agent', "sh -c 'echo made' sh"];
    expect(await project.run(worker)).toMatchObject({ code: 0 });
    expect(await tasksOf(project)).toMatchObject([{ status: 'done', result: 'made' }, { status: 'claimed' }]);
  });

  it('starts nothing that waits for another task', async () => {
    const blocked = update('2', { addBlockedBy: ['1'] });
    await using project = await teamProject({
      ada: [add('Parse', 'Print'), blocked, start('2'), done],
      bob: [update('1', { status: 'completed' }), update('2', { status: 'completed' }), done],
    });
    await project.teammate('ada').ended;
    expect(project.told.ada).toContain('Task #2 cannot be started yet: it waits for #1');
    await project.teammate('bob').ended;
    expect(await tasksOf(project)).toMatchObject([{ status: 'done' }, { status: 'done' }]);
  });

  it('what a killed one had can be taken by the next who looks', async () => {
    const held = Promise.withResolvers<void>();
    const forEver = () => {
      held.resolve();
      return new Promise<ServerReply>(() => {});
    };
    await using project = await teamProject({
      ada: [add('Parse'), start('1'), forEver],
      bob: [start('1'), update('1', { status: 'completed' }), done],
    });
    const ada = project.teammate('ada');
    await held.promise;
    ada.child.kill('SIGKILL');
    await ada.ended;
    expect(await tasksOf(project)).toMatchObject([{ status: 'claimed' }]);
    await project.teammate('bob').ended;
    expect(await tasksOf(project)).toMatchObject([{ status: 'done', result: 'Completed by bob.', epoch: 2 }]);
  });

  it('keeps them in the store that --store names, and reports to the model when that cannot be reached', async () => {
    await using project = await teamProject({ ada: [add('Parse'), done], bob: [add('Print'), done] });
    await project.teammate('ada', '--store', 'team.db').ended;
    expect(await tasksOf(project, '--store', 'team.db')).toMatchObject([{ title: 'Parse' }]);
    expect(existsSync(path.join(project.home, '.stopgate/stopgate.db'))).toBe(false);
    project.write('broken.db', 'This is no database, and long enough to be taken for one.'.repeat(40));
    const end = await project.teammate('bob', '--store', 'broken.db').ended;
    expect(end.code).toBe(0);
    expect(project.told.bob).toContain("The team's task list cannot be reached: ");
    const wrong = await project.teammate('bob', '--store', 'ftp://x').ended;
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('"ftp://" is not a kind of store') });
  });
});
