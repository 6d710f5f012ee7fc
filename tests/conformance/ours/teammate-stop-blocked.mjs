// a blocked Stop comes first: nobody is asked about tasks before it passes
import { asAda, teamHooks, teamTasks } from './teamTasks.mjs';

export default {
  args: asAda,
  settings: teamHooks,
  keep: { order: true, noResults: true },
  replies: { stop: [{ code: 2, err: 'go on' }, {}] },
  script: [...teamTasks, { text: 'all done' }, { text: 'gone on' }],
};
