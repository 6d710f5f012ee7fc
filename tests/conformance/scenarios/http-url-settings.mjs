import { bash, calls } from '../lib/calls.mjs';
// allowedHttpHookUrls and httpHookAllowedEnvVars
export default {
  http: () => ({ body: {} }),
  env: { MY_TOKEN: 'tok', OTHER: 'oth' },
  settings: ({ httpUrl }) => ({ allowedHttpHookUrls: [`${httpUrl}/ok*`], httpHookAllowedEnvVars: ['MY_TOKEN'], hooks: { PreToolUse: [{ hooks: [
    { type: 'http', url: `${httpUrl}/ok`, headers: { Authorization: '$MY_TOKEN', 'X-Other': '$OTHER' }, allowedEnvVars: ['MY_TOKEN', 'OTHER'] },
    { type: 'http', url: `${httpUrl}/ok/deep` },
    { type: 'http', url: `${httpUrl}/no` },
  ] }] } }),
  args: ['--allowedTools', 'Bash'],
  model: calls(bash('echo hi')),
};
