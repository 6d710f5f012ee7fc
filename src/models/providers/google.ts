import { firstSet, missingKey, type Provider, serverModel, versionedUrl } from './provider.ts';

const KEYS = ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'] as const;

export const google: Provider = {
  name: 'google',
  ownsBareName: (name) => name.startsWith('gemini-'),
  resolve: (apiName, env) => {
    const id = `google/${apiName}`;
    const found = firstSet(env, KEYS);
    if (!found) return missingKey(id, KEYS, env);
    const { variable: keyVariable, value: apiKey } = found;
    const key = { keyVariable, secrets: [apiKey] };
    const baseURL = versionedUrl(env.GOOGLE_BASE_URL || 'https://generativelanguage.googleapis.com', 'v1beta');
    const server = { id, env, apiName, baseURL, urlVariable: 'GOOGLE_BASE_URL', key };
    const model = serverModel(server, async (fetch) => {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ apiKey, baseURL, fetch })(apiName);
    });
    return { type: 'ok', model };
  },
};
