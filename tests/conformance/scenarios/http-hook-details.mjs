// headers, allow-listed variables, and a URL list in settings
export default {
  http: (n) => [{ body: { decision: 'block', reason: 'from http' } }, { body: {} }][Math.min(n, 1)],
  settings: ({ httpUrl, hook }) => ({ allowedHttpHookUrls: [`${httpUrl}/ok*`], hooks: { Stop: [{ hooks: [{ type: 'http', url: `${httpUrl}/ok/stop`, headers: { Authorization: 'Bearer $TOKEN', 'X-Other': '${HOME_OF}-${TOKEN}' }, allowedEnvVars: ['TOKEN'] }, { type: 'http', url: `${httpUrl}/forbidden` }] }] } }),
  env: { TOKEN: 't0k', HOME_OF: 'hidden' },
  script: [{ text: 'one' }, { text: 'two' }],
};
