import type { Environment } from '../../system/environment.ts';
import { connectionsFor } from '../../system/http/connections.ts';
import { ChatEvents } from '../gateway/chatEvents.ts';
import { nodeFetch } from '../http/nodeFetch.ts';
import type { Model } from '../types.ts';
import { chosenWindow, windowOf, withQueriedWindow } from './contextWindow.ts';
import { firstSet, type Provider, type ResolvedModel, serverModel } from './provider.ts';

const KEYS = ['OPENAI_COMPATIBLE_API_KEY'] as const;

/** Any server with OpenAI's chat completions: `openai-compatible/NAME` or `http://host/v1#NAME`. */
export const openaiCompatible: Provider = {
  name: 'openai-compatible',
  ownsBareName: () => false,
  resolve: (modelName, env) => {
    const id = `openai-compatible/${modelName}`;
    const baseURL = env.OPENAI_COMPATIBLE_BASE_URL;
    if (!baseURL)
      return {
        type: 'unknown',
        message: `${id} needs the server's address: set OPENAI_COMPATIBLE_BASE_URL, or write http://HOST/v1#${modelName}`,
      };
    return { type: 'ok', model: compatibleModel({ id, baseURL, modelName, env }) };
  },
};

/** `http(s)://host/v1#model-name`. */
export function resolveUrl(name: string, env: Environment): ResolvedModel {
  const [baseURL = '', modelName = ''] = name.split('#', 2);
  if (!URL.canParse(baseURL) || modelName === '')
    return { type: 'unknown', message: `a model at a URL is written http://HOST/v1#MODEL-NAME, not '${name}'` };
  return { type: 'ok', model: compatibleModel({ id: name, baseURL, modelName, env }) };
}

interface Server {
  readonly id: string;
  readonly baseURL: string;
  readonly modelName: string;
  readonly env: Environment;
}

const WINDOW = ['OPENAI_COMPATIBLE_CONTEXT_WINDOW'] as const;

function compatibleModel(server: Server): Model {
  const { id, baseURL, modelName: apiName, env } = server;
  const apiKey = firstSet(env, KEYS)?.value;
  const load = async (fetch: typeof globalThis.fetch) => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const options = { name: 'openai-compatible', baseURL, includeUsage: true, fetch };
    return createOpenAICompatible(apiKey ? { ...options, apiKey } : options).chatModel(apiName);
  };
  const about = {
    ...{ id, env, apiName, baseURL, windowVariables: WINDOW, normalizer: () => new ChatEvents() },
    urlVariable: id.startsWith('openai-compatible/') ? 'OPENAI_COMPATIBLE_BASE_URL' : '',
    key: { keyVariable: KEYS[0], secrets: apiKey ? [apiKey] : [] },
  };
  const model = serverModel(about, load, {
    sendsMaxOutputTokens: false,
    oneSystemMessage: true,
    // the protocol allows images only in user messages; in a result they would be base64 text
    imagesInResults: false,
  });
  return chosenWindow(env, WINDOW) === undefined ? queryingModel(model, server, apiKey) : model;
}

/** Only the server knows its window: the owner of a local model chooses it when loading. */
function queryingModel(model: Model, { baseURL, modelName, env }: Server, key: string | undefined): Model {
  const { host } = new URL(baseURL);
  return withQueriedWindow(model, {
    query: async (signal) => {
      const { queryServerWindow } = await import('./serverWindow.ts');
      return queryServerWindow({ baseURL, modelName, key, fetch: nodeFetch(connectionsFor(env)) }, signal);
    },
    accept: (tokens) => windowOf(env, tokens),
    unknown: (assumed) =>
      `The server at ${host} does not report the context window of ${modelName}; assuming ${assumed} tokens. OPENAI_COMPATIBLE_CONTEXT_WINDOW sets it.`,
  });
}
