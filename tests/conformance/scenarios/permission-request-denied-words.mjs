import { answer, bash, hooksOn } from '../lib/steps.mjs';
const says = (decision) => answer('PermissionRequest', { decision });
// what the model is told of a denial with and without a message
export default {
  settings: hooksOn({ PermissionRequest: 'asked' }),
  replies: { asked: [says({ behavior: 'deny' }), says({ behavior: 'deny', message: 'not today' }), says({ behavior: 'deny', message: '' })] },
  script: [bash('touch a'), bash('touch b'), bash('touch c'), { text: 'finished' }],
};
