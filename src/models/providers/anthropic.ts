import type { Environment } from '../../system/environment.ts';
import { AnthropicEvents } from '../gateway/anthropicEvents.ts';
import { type KeyHelper, keyedFetch } from '../keyHelper.ts';
import { windowOf } from './contextWindow.ts';
import { effortIn, firstSet, missingKey, type Provider, serverModel, versionedUrl } from './provider.ts';

// The bearer token first, as in Claude Code: with a gateway the key is often only a placeholder.
const KEYS = ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY'] as const;
// Measured: Claude Code 2.1.325 sends its context to these as a system message after the first prompt.
const MID_CONVERSATION_SYSTEM = /^claude-[a-z]+-5/;
const LONG_CONTEXT = '[1m]';
const LONG_CONTEXT_BETA = 'context-1m-2025-08-07';

export const anthropic: Provider = {
  name: 'anthropic',
  ownsBareName: (name) => name.startsWith('claude-'),
  resolve: (modelName, env, { keyHelper }) => {
    const id = `anthropic/${modelName}`;
    const key = keyOf(env, keyHelper);
    if (!key) return missingKey(id, ['ANTHROPIC_API_KEY'], env);
    const long = modelName.endsWith(LONG_CONTEXT);
    const apiName = long ? modelName.slice(0, -LONG_CONTEXT.length) : modelName;
    const baseURL = versionedUrl(env.ANTHROPIC_BASE_URL || 'https://api.anthropic.com', 'v1');
    const maxOutputTokens = Number(env.CLAUDE_CODE_MAX_OUTPUT_TOKENS);
    const effort = effortIn(env);
    const load = async (fetch: typeof globalThis.fetch) => {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({
        baseURL,
        ...(key.variable === 'ANTHROPIC_AUTH_TOKEN' ? { authToken: key.value } : { apiKey: key.value }),
        fetch: key.sends(fetch),
        headers: { ...(long ? { 'anthropic-beta': LONG_CONTEXT_BETA } : {}), ...customHeaders(env) },
      })(apiName);
    };
    const server = {
      ...{ id, env, apiName, baseURL, urlVariable: 'ANTHROPIC_BASE_URL' },
      key: { keyVariable: key.variable, secrets: key.secrets },
      normalizer: () => new AnthropicEvents(),
    };
    const model = serverModel(server, load, {
      ...(long ? { contextWindow: windowOf(env, 1_000_000) } : {}),
      ...(maxOutputTokens ? { maxOutputTokens } : {}),
      caching: 'anthropic',
      contextAs: MID_CONVERSATION_SYSTEM.test(apiName) ? 'system' : 'user',
      // Pings keep the idle timer from expiring while the model thinks. Tool input that streams early may be broken JSON.
      providerOptions: { anthropic: { includePings: true, toolStreaming: false, ...(effort && { effort }) } },
      keySource: key.variable,
    });
    return { type: 'ok', model };
  },
};

/** A variable's key takes precedence over the helper's, as in Claude Code. */
function keyOf(env: Environment, helper: KeyHelper | undefined) {
  const key = firstSet(env, KEYS);
  if (key) return { ...key, secrets: [key.value], sends: (fetch: typeof globalThis.fetch) => fetch };
  if (!helper) return undefined;
  const sends = (fetch: typeof globalThis.fetch) => keyedFetch(fetch, helper);
  return { variable: 'apiKeyHelper', value: 'from apiKeyHelper', secrets: helper.secrets, sends };
}

/** ANTHROPIC_CUSTOM_HEADERS, as Claude Code reads it: one `Name: value` per line. */
function customHeaders({ ANTHROPIC_CUSTOM_HEADERS: lines = '' }: Environment): Record<string, string> {
  const found = lines.matchAll(/^([^:\r\n]+):(.*)$/gm);
  return Object.fromEntries(Array.from(found, ([, name = '', value = '']) => [name.trim(), value.trim()]));
}
