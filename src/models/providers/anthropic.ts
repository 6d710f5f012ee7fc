import { aiSdkModel } from '../aiSdk/aiSdkModel.ts';
import { modelFetch } from '../http/modelFetch.ts';
import { windowOf } from './contextWindow.ts';
import { modelLimits } from './modelLimits.ts';
import { type Env, firstSet, idleOption, missingKey, type Provider, versionedUrl } from './provider.ts';

// A bearer token first, as Claude Code does: behind a gateway the key is often only a placeholder.
const KEYS = ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY'] as const;
// Measured: Claude Code 2.1.325 sends its context to these as a system message after the first prompt.
const MID_CONVERSATION_SYSTEM = /^claude-[a-z]+-5/;
const LONG_CONTEXT = '[1m]';
const LONG_CONTEXT_BETA = 'context-1m-2025-08-07';

export const anthropic: Provider = {
  name: 'anthropic',
  ownsBareName: (name) => name.startsWith('claude-'),
  resolve: (modelName, env) => {
    const id = `anthropic/${modelName}`;
    const key = firstSet(env, KEYS);
    if (!key) return missingKey(id, ['ANTHROPIC_API_KEY']);
    const long = modelName.endsWith(LONG_CONTEXT);
    const apiName = long ? modelName.slice(0, -LONG_CONTEXT.length) : modelName;
    const { contextWindow, maxOutputTokens } = modelLimits(apiName);
    return {
      type: 'ok',
      model: aiSdkModel({
        id,
        contextWindow: windowOf(env, long ? 1_000_000 : contextWindow),
        maxOutputTokens: Number(env.CLAUDE_CODE_MAX_OUTPUT_TOKENS) || maxOutputTokens,
        caching: 'anthropic',
        contextAs: MID_CONVERSATION_SYSTEM.test(apiName) ? 'system' : 'user',
        // Pings keep the watch-dog quiet while the model thinks. Tool input streamed eagerly may be broken JSON.
        providerOptions: { anthropic: { includePings: true, toolStreaming: false } },
        keyVariable: key.variable,
        secrets: [key.value],
        ...idleOption(env),
        load: async () => {
          const { createAnthropic } = await import('@ai-sdk/anthropic');
          return createAnthropic({
            baseURL: versionedUrl(env.ANTHROPIC_BASE_URL || 'https://api.anthropic.com', 'v1'),
            ...(key.variable === 'ANTHROPIC_AUTH_TOKEN' ? { authToken: key.value } : { apiKey: key.value }),
            fetch: modelFetch(env),
            headers: { ...(long ? { 'anthropic-beta': LONG_CONTEXT_BETA } : {}), ...customHeaders(env) },
          })(apiName);
        },
      }),
    };
  },
};

/** ANTHROPIC_CUSTOM_HEADERS, as Claude Code reads it: one `Name: value` a line. */
export function customHeaders(env: Env): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of (env.ANTHROPIC_CUSTOM_HEADERS ?? '').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return headers;
}
