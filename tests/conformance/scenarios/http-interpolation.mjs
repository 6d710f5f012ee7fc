import { bash, calls } from '../lib/calls.mjs';
// environment variables in headers and URL, in each form
export default {
  http: () => ({ body: {} }),
  env: { MY_TOKEN: 'tok', OTHER: 'oth', MY_EMPTY: '' },
  settings: ({ httpUrl }) => ({ hooks: { PreToolUse: [{ hooks: [
    { type: 'http', url: `${httpUrl}/a`, headers: { Authorization: 'Bearer $MY_TOKEN', 'X-Other': '${OTHER}-${MY_TOKEN}' }, allowedEnvVars: ['MY_TOKEN', 'OTHER'] },
    { type: 'http', url: `${httpUrl}/b`, headers: { Authorization: '$MY_TOKENS $MY_TOKEN$OTHER', 'X-Other': '$$MY_TOKEN \\$MY_TOKEN' }, allowedEnvVars: ['MY_TOKEN'] },
    { type: 'http', url: `${httpUrl}/c/$MY_TOKEN`, headers: { Authorization: '$MY_EMPTY|${NOT_SET}|$', 'X-Other': '${MY_TOKEN:-x}' }, allowedEnvVars: ['MY_TOKEN', 'MY_EMPTY', 'NOT_SET'] },
    { type: 'http', url: `${httpUrl}/d`, headers: { Authorization: '$my_token ${ MY_TOKEN }', 'X-Other': 'plain' } },
  ] }] } }),
  args: ['--allowedTools', 'Bash'],
  model: calls(bash('echo hi')),
};
