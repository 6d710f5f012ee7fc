import { effortIn, firstSet, missingKey, type Provider, serverModel } from './provider.ts';

const KEYS = ['OPENAI_API_KEY'] as const;

export const openai: Provider = {
  name: 'openai',
  ownsBareName: (name) => /^(gpt-|o\d|codex-)/.test(name),
  resolve: (apiName, env) => {
    const id = `openai/${apiName}`;
    const found = firstSet(env, KEYS);
    if (!found) return missingKey(id, KEYS, env);
    const { variable: keyVariable, value: apiKey } = found;
    const key = { keyVariable, secrets: [apiKey] };
    const baseURL = env.OPENAI_BASE_URL || 'https://api.openai.com/v1';
    const effort = effortIn(env);
    // OpenAI has another name for the highest level.
    const reasoning = effort ? { reasoningEffort: effort === 'max' ? 'xhigh' : effort } : {};
    const server = { id, env, apiName, baseURL, urlVariable: 'OPENAI_BASE_URL', key };
    const load = async (fetch: typeof globalThis.fetch) => {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey, baseURL, fetch }).responses(apiName);
    };
    const model = serverModel(server, load, {
      // The provider stores nothing: encrypted reasoning is part of the conversation instead.
      providerOptions: { openai: { store: false, ...reasoning } },
      // Strict mode forbids optional inputs, which our tools have.
      strictTools: false,
    });
    return { type: 'ok', model };
  },
};
