// one of her tasks is not done: both are asked about, and idle as well; then all again
import { asAda, teamHooks, teamTasks } from './teamTasks.mjs';

export default {
  args: asAda,
  settings: teamHooks,
  keep: { order: true, noResults: true },
  replies: { taskcompleted: [{ code: 2, err: 'no test' }, {}] },
  script: [...teamTasks, { text: 'all done' }, { text: 'tested' }],
};
