import { answer, bash, hooksOn } from '../lib/steps.mjs';
// `updatedPermissions` of an allow: the second call is not asked about; a setMode, and a rule that denies
const allow = (updatedPermissions) => answer('PermissionRequest', { decision: { behavior: 'allow', updatedPermissions } });
export default {
  settings: hooksOn({ PermissionRequest: 'asked' }),
  replies: { asked: [
    allow([{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'touch *' }], behavior: 'allow', destination: 'session' }]),
    allow([{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'mv *' }], behavior: 'deny', destination: 'session' }]),
    allow([{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }]),
    {},
  ] },
  keep: { noResults: true },
  script: [bash('touch a'), bash('touch b'), bash('ln x y'), bash('mv a b'), bash('ln x z'), bash('mkdir made'), bash('chmod 600 a'), { text: 'finished' }],
};
