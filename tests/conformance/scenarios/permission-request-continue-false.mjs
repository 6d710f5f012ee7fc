import { answer, bash, hooksOn } from '../lib/steps.mjs';
export default {
  settings: hooksOn({ PermissionRequest: 'asked', Stop: 'stop' }),
  keep: { noResults: true },
  replies: { asked: [answer('PermissionRequest', { decision: { behavior: 'allow' } }, { continue: false, stopReason: 'closed' }), { out: { continue: false, stopReason: 'closed again' } }], stop: [{}] },
  script: [bash('touch a; ls'), bash('touch b; ls'), { text: 'finished' }],
};
