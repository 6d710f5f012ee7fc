// before ada goes idle: Stop, then TaskCompleted for each task she works on and for no other, then TeammateIdle
import { asAda, teamHooks, teamTasks } from './teamTasks.mjs';

export default {
  args: asAda,
  settings: teamHooks,
  keep: { order: true, noResults: true },
  script: [...teamTasks, { text: 'all done' }],
};
