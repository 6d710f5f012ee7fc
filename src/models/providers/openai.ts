import { aiSdkModel } from '../aiSdk/aiSdkModel.ts';
import { gatewayMemory } from '../gateway/gatewayMemory.ts';
import { modelFetch } from '../gateway/modelFetch.ts';
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
        // The provider stores nothing: encrypted reasoning is part of the conversation instead.
        providerOptions: { openai: { store: false, ...effortOption(env) } },
        // Strict mode forbids optional inputs, which our tools have.
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

/** OpenAI has another name for the highest level. */
function effortOption(env: Env): { reasoningEffort?: string } {
  const effort = effortIn(env);
  return effort ? { reasoningEffort: effort === 'max' ? 'xhigh' : effort } : {};
}
