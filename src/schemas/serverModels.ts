import * as z from 'zod';

/** The context window of a model, as servers of local models report it; each has its own names. */

const tokens = z.int().positive().optional().catch(undefined);
const record = z.record(z.string(), z.unknown()).optional().catch(undefined);

/** An entry of `GET /v1/models`: vLLM, OpenRouter and Together, Groq, Mistral, text-generation servers. */
const listedModel = z.looseObject({
  id: z.string().catch(''),
  max_model_len: tokens,
  context_length: tokens,
  context_window: tokens,
  max_context_length: tokens,
  n_ctx: tokens,
});

export const modelList = z.object({ data: z.array(listedModel).catch([]) });

/** LM Studio's `GET /api/v0/models/NAME`. */
export const lmStudioModel = z.object({ loaded_context_length: tokens, max_context_length: tokens });

/** llama.cpp's `GET /props`. */
export const llamaProps = z.object({
  default_generation_settings: z.object({ n_ctx: tokens }).optional().catch(undefined),
  n_ctx: tokens,
});

/** Ollama's `GET /api/ps`: loaded models with their context window. */
export const ollamaRunning = z.object({
  models: z
    .array(z.object({ name: z.string().catch(''), model: z.string().catch(''), context_length: tokens }))
    .catch([]),
});

/** Ollama's `POST /api/show`: `parameters` are lines such as `num_ctx 8192`. */
export const ollamaShow = z.object({ parameters: z.string().optional().catch(undefined), model_info: record });
