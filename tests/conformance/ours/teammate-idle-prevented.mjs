// TeammateIdle sends her back once, then ends the turn for good
import { asAda, teamHooks, teamTasks } from './teamTasks.mjs';

export default {
  args: asAda,
  settings: teamHooks,
  keep: { order: true, noResults: true },
  replies: { teammateidle: [{ code: 2, err: 'bob needs help' }, { out: { continue: false, stopReason: 'go home' } }] },
  script: [...teamTasks, { text: 'all done' }, { text: 'helped' }],
};
