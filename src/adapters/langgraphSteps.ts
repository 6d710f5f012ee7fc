/** The store in which LangChain keeps the configuration of the running node, and its key there. */
const STORE = Symbol.for('ls:tracing_async_local_storage');
const CONFIG = Symbol.for('lc:child_config');

/**
 * How many steps the graph that runs now may still take. Middleware is not given the limit, so it is read from where
 * LangGraph's own `getConfig` reads it; undefined when it is not there.
 */
export function stepsLeft(): { readonly limit: number; readonly left: number } | undefined {
  const store = field(globalThis, STORE);
  const getStore = field(store, 'getStore');
  const running: unknown = typeof getStore === 'function' ? getStore.call(store) : undefined;
  const config = field(field(running, 'extra'), CONFIG);
  const limit = field(config, 'recursionLimit');
  const step = field(field(config, 'metadata'), 'langgraph_step');
  return typeof limit === 'number' && typeof step === 'number' ? { limit, left: limit - step } : undefined;
}

function field(value: unknown, key: string | symbol): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
