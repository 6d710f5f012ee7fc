import { llamaProps, lmStudioModel, modelList, ollamaRunning, ollamaShow } from '../../schemas/serverModels.ts';
import { readWhole } from '../../system/readWhole.ts';

export interface ServerWindow {
  readonly baseURL: string;
  readonly modelName: string;
  readonly fetch: typeof globalThis.fetch;
  readonly key: string | undefined;
}

/** For all requests together. */
const QUERY_MS = 2_000;
/** The lists of large gateways have some hundred kilobytes. */
const MAX_BYTES = 4_000_000;

/** Ollama's default, when neither the model nor a running instance sets another. */
const OLLAMA_DEFAULT = 4_096;

type Query = (path: string, body?: object) => Promise<unknown>;

/**
 * The context window that a server reports for its model: first in its list of models, which most have, then in the
 * APIs of LM Studio, llama.cpp and Ollama. The loaded size counts more than the possible one. Never rejects; bounded in
 * time and bytes.
 */
export async function queryServerWindow(server: ServerWindow, signal: AbortSignal): Promise<number | undefined> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(QUERY_MS)]);
  const query: Query = (path, body) => {
    const post = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    return fetchJson(server, path, { ...post, signal: late }).catch(() => undefined);
  };
  const listed = listedWindow(await query('models'), server.modelName);
  if (listed !== undefined) return listed;
  const own = await Promise.all([queryLmStudio(query, server), queryLlama(query), queryOllama(query, server)]);
  return own.find((tokens) => tokens !== undefined);
}

function listedWindow(answer: unknown, name: string): number | undefined {
  const { data = [] } = modelList.safeParse(answer).data ?? {};
  const entry = data.find(({ id }) => id === name) ?? (data.length === 1 ? data[0] : undefined);
  return (
    entry?.n_ctx ?? entry?.max_model_len ?? entry?.context_length ?? entry?.context_window ?? entry?.max_context_length
  );
}

async function queryLmStudio(query: Query, { modelName }: ServerWindow): Promise<number | undefined> {
  const { data } = lmStudioModel.safeParse(await query(`/api/v0/models/${encodeURIComponent(modelName)}`));
  return data?.loaded_context_length ?? data?.max_context_length;
}

async function queryLlama(query: Query): Promise<number | undefined> {
  const { data } = llamaProps.safeParse(await query('/props'));
  return data?.default_generation_settings?.n_ctx ?? data?.n_ctx;
}

async function queryOllama(query: Query, { modelName }: ServerWindow): Promise<number | undefined> {
  const [running, shown] = await Promise.all([query('/api/ps'), query('/api/show', { model: modelName })]);
  const names = [modelName, `${modelName}:latest`];
  const loaded = ollamaRunning
    .safeParse(running)
    .data?.models.find(({ name, model }) => names.includes(name) || names.includes(model));
  if (loaded?.context_length !== undefined) return loaded.context_length;
  const { data } = ollamaShow.safeParse(shown);
  if (data?.model_info === undefined && data?.parameters === undefined) return undefined;
  const named = /^num_ctx\s+(\d+)/m.exec(data.parameters ?? '')?.[1];
  return named === undefined ? OLLAMA_DEFAULT : Number(named);
}

async function fetchJson({ baseURL, fetch, key }: ServerWindow, path: string, more: RequestInit): Promise<unknown> {
  const base = new URL(baseURL.endsWith('/') ? baseURL : `${baseURL}/`);
  const authorization = key ? { authorization: `Bearer ${key}` } : {};
  const headers = { ...authorization, ...(more.body ? { 'content-type': 'application/json' } : {}) };
  const response = await fetch(new URL(path, base), { ...more, headers });
  const reading = { maxBytes: MAX_BYTES, tooLong: () => new Error('too long') };
  const text = response.body ? await readWhole(response.body, reading) : '';
  return response.ok ? JSON.parse(text) : undefined;
}
