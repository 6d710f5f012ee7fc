import { aiSdkModel } from '../aiSdk/aiSdkModel.ts';
import { modelFetch } from '../http/modelFetch.ts';
import { windowOf } from './contextWindow.ts';
import { modelLimits } from './modelLimits.ts';
import { firstSet, idleOption, missingKey, type Provider, versionedUrl } from './provider.ts';

const KEYS = ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'] as const;

export const google: Provider = {
  name: 'google',
  ownsBareName: (name) => name.startsWith('gemini-'),
  resolve: (modelName, env) => {
    const id = `google/${modelName}`;
    const key = firstSet(env, KEYS);
    if (!key) return missingKey(id, KEYS);
    const limits = modelLimits(modelName);
    return {
      type: 'ok',
      model: aiSdkModel({
        id,
        ...limits,
        contextWindow: windowOf(env, limits.contextWindow),
        keyVariable: key.variable,
        secrets: [key.value],
        ...idleOption(env),
        load: async () => {
          const { createGoogle } = await import('@ai-sdk/google');
          const baseURL = versionedUrl(env.GOOGLE_BASE_URL || 'https://generativelanguage.googleapis.com', 'v1beta');
          return createGoogle({ apiKey: key.value, baseURL, fetch: modelFetch(env) })(modelName);
        },
      }),
    };
  },
};
