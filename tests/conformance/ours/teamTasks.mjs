// Three tasks of a team: two that ada works on, one that bob does.
const task = (subject, description) => ({ name: 'TaskCreate', input: { subject, description } });
const takes = (taskId, owner) => ({ name: 'TaskUpdate', input: { taskId, owner, status: 'in_progress' } });

export const teamTasks = [
  { tools: [task('Parse', 'the file'), task('Print', 'the report'), task('Ship', 'it')] },
  { tools: [takes('1', 'ada'), takes('2', 'ada'), takes('3', 'bob')] },
];

export const asAda = ['--team', 'crew', '--name', 'ada'];

export const teamHooks = ({ hook }) => ({
  hooks: Object.fromEntries(
    ['Stop', 'TaskCompleted', 'TeammateIdle'].map((event) => [
      event,
      [{ hooks: [{ type: 'command', command: hook(event.toLowerCase()) }] }],
    ]),
  ),
});
