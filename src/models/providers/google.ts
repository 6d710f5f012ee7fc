import { aiSdkModel } from '../aiSdk/aiSdkModel.ts';
import { gatewayMemory } from '../gateway/gatewayMemory.ts';
import { modelFetch } from '../gateway/modelFetch.ts';
import { windowOf } from './contextWindow.ts';
import { modelLimits } from './modelLimits.ts';
import { firstSet, missingKey, type Provider, timeOptions, urlOption, versionedUrl } from './provider.ts';

const KEYS = ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'] as const;

export const google: Provider = {
  name: 'google',
  ownsBareName: (name) => name.startsWith('gemini-'),
  resolve: (modelName, env) => {
    const id = `google/${modelName}`;
    const key = firstSet(env, KEYS);
    if (!key) return missingKey(id, KEYS, env);
    const baseURL = versionedUrl(env.GOOGLE_BASE_URL || 'https://generativelanguage.googleapis.com', 'v1beta');
    const memory = gatewayMemory(baseURL);
    const limits = modelLimits(modelName);
    return {
      type: 'ok',
      model: aiSdkModel({
        id,
        ...limits,
        contextWindow: windowOf(env, limits.contextWindow),
        keyVariable: key.variable,
        secrets: [key.value],
        notices: memory,
        ...urlOption(env, 'GOOGLE_BASE_URL'),
        ...timeOptions(env),
        load: async () => {
          const { createGoogle } = await import('@ai-sdk/google');
          return createGoogle({ apiKey: key.value, baseURL, fetch: modelFetch({ env, memory }) })(modelName);
        },
      }),
    };
  },
};
