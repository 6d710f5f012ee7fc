import { answer, bash, hooksOn } from '../lib/steps.mjs';
const says = (decision) => answer('PermissionRequest', { decision });
// one allows, the other denies; the slower one second
export default {
  settings: hooksOn({ PermissionRequest: ['one', 'two'] }),
  replies: { one: [says({ behavior: 'allow' }), says({ behavior: 'deny', message: 'one says no' })], two: [{ ...says({ behavior: 'deny', message: 'two says no' }), sleep: 0.4 }, { ...says({ behavior: 'allow' }), sleep: 0.4 }] },
  script: [bash('touch a; ls'), bash('touch b; ls'), { text: 'finished' }],
};
