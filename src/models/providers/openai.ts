import { aiSdkModel } from '../aiSdk/aiSdkModel.ts';
import { gatewayMemory } from '../gateway/gatewayMemory.ts';
import { modelFetch } from '../http/modelFetch.ts';
import { windowOf } from './contextWindow.ts';
import { modelLimits } from './modelLimits.ts';
import { type Env, effortIn, firstSet, missingKey, type Provider, timeOptions, urlOption } from './provider.ts';

const KEYS = ['OPENAI_API_KEY'] as const;

export const openai: Provider = {
  name: 'openai',
  ownsBareName: (name) => /^(gpt-|o\d|codex-)/.test(name),
  resolve: (modelName, env) => {
    const id = `openai/${modelName}`;
    const key = firstSet(env, KEYS);
    if (!key) return missingKey(id, KEYS, env);
    const baseURL = env.OPENAI_BASE_URL || 'https://api.openai.com/v1';
    const memory = gatewayMemory(baseURL);
    const limits = modelLimits(modelName);
    return {
      type: 'ok',
      model: aiSdkModel({
        id,
        ...limits,
        contextWindow: windowOf(env, limits.contextWindow),
        // Nothing is kept on their side: reasoning comes back encrypted and is sent again with the conversation.
        providerOptions: { openai: { store: false, ...effortOption(env) } },
        // Our tools have optional inputs, which strict mode forbids.
        strictTools: false,
        keyVariable: key.variable,
        secrets: [key.value],
        notices: memory,
        ...urlOption(env, 'OPENAI_BASE_URL'),
        ...timeOptions(env),
        load: async () => {
          const { createOpenAI } = await import('@ai-sdk/openai');
          return createOpenAI({ apiKey: key.value, baseURL, fetch: modelFetch({ env, memory }) }).responses(modelName);
        },
      }),
    };
  },
};

/** Its highest level has another name. */
function effortOption(env: Env): { reasoningEffort?: string } {
  const effort = effortIn(env);
  return effort ? { reasoningEffort: effort === 'max' ? 'xhigh' : effort } : {};
}
