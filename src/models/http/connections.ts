import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import type { AgentOptions } from 'node:https';

export type OpenRequest = (url: URL, options: RequestOptions) => ClientRequest;
type Env = Readonly<Record<string, string | undefined>>;

const PROXY_VARIABLES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];

/** For connections in the pool only: what a router on the way forgets first is one that says nothing. */
const IDLE_MS = 60_000;

// Importing node:http the usual way enumerates its exports, and one of them loads undici.
const loadHttp = () => process.getBuiltinModule('node:http');
// Loads TLS: only for those who need it.
const loadHttps = () => process.getBuiltinModule('node:https');

const shared = new Map<string, OpenRequest>();

/** Requests over connections that are kept for the next ones: one pool a process for each way through the proxies. */
export function connectionsFor(env: Env): OpenRequest {
  const proxyEnv = Object.fromEntries(PROXY_VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const key = JSON.stringify(proxyEnv);
  const known = shared.get(key);
  if (known) return known;
  const open = makeConnections(key === '{}' ? {} : { proxyEnv });
  shared.set(key, open);
  return open;
}

/** Connections of one's own, for what the shared ones do not offer (a certificate authority in a test). */
export function makeConnections(options: AgentOptions = {}): OpenRequest {
  const settings = { keepAlive: true, timeout: IDLE_MS, ...options };
  let plain: Agent | undefined;
  let secure: Agent | undefined;
  return (url, request) => {
    if (url.protocol === 'https:') {
      const https = loadHttps();
      secure ??= new https.Agent(settings);
      return https.request(url, { ...request, agent: secure });
    }
    const http = loadHttp();
    plain ??= new http.Agent(settings);
    return http.request(url, { ...request, agent: plain });
  };
}
