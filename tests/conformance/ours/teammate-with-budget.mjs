// the budget is asked last, after idle
import { asAda, teamHooks, teamTasks } from './teamTasks.mjs';

export default {
  args: [...asAda, '--token-budget', '2k'],
  settings: teamHooks,
  keep: { order: true, noResults: true },
  script: [...teamTasks, { text: 'all done', out: 500 }, { text: 'more', out: 1500 }],
};
