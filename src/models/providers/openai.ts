import { aiSdkModel } from '../aiSdk/aiSdkModel.ts';
import { modelFetch } from '../http/modelFetch.ts';
import { windowOf } from './contextWindow.ts';
import { modelLimits } from './modelLimits.ts';
import { firstSet, idleOption, missingKey, type Provider } from './provider.ts';

const KEYS = ['OPENAI_API_KEY'] as const;

export const openai: Provider = {
  name: 'openai',
  ownsBareName: (name) => /^(gpt-|o\d|codex-)/.test(name),
  resolve: (modelName, env) => {
    const id = `openai/${modelName}`;
    const key = firstSet(env, KEYS);
    if (!key) return missingKey(id, KEYS);
    const limits = modelLimits(modelName);
    return {
      type: 'ok',
      model: aiSdkModel({
        id,
        ...limits,
        contextWindow: windowOf(env, limits.contextWindow),
        // Nothing is kept on their side: reasoning comes back encrypted and is sent again with the conversation.
        providerOptions: { openai: { store: false } },
        // Our tools have optional inputs, which strict mode forbids.
        strictTools: false,
        keyVariable: key.variable,
        secrets: [key.value],
        ...idleOption(env),
        load: async () => {
          const { createOpenAI } = await import('@ai-sdk/openai');
          const baseURL = env.OPENAI_BASE_URL || 'https://api.openai.com/v1';
          return createOpenAI({ apiKey: key.value, baseURL, fetch: modelFetch(env) }).responses(modelName);
        },
      }),
    };
  },
};
