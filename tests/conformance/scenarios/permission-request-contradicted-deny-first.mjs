import { answer, bash, hooksOn } from '../lib/steps.mjs';
const says = (decision) => answer('PermissionRequest', { decision });
// one allows, the other denies; the denial comes first
export default {
  settings: hooksOn({ PermissionRequest: ['one', 'two'] }),
  replies: { one: [{ ...says({ behavior: 'allow' }), sleep: 0.4 }], two: [says({ behavior: 'deny', message: 'two says no' })] },
  script: [bash('touch a; ls'), { text: 'finished' }],
};
