import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import type { AgentOptions } from 'node:https';
import type { Environment } from '../environment.ts';

export type OpenRequest = (url: URL, options: RequestOptions) => ClientRequest;

const PROXY_VARIABLES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];

/** For pooled connections only: routers drop silent connections first. */
const IDLE_MS = 60_000;

// Importing node:http the usual way enumerates its exports, and one of them loads undici.
const loadHttp = () => process.getBuiltinModule('node:http');
// Loads TLS, so only when needed.
const loadHttps = () => process.getBuiltinModule('node:https');

const shared = new Map<string, OpenRequest>();

/** Requests over pooled connections, one pool per process and proxy configuration. */
export function connectionsFor(env: Environment): OpenRequest {
  const proxyEnv = Object.fromEntries(PROXY_VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const key = JSON.stringify(proxyEnv);
  const known = shared.get(key);
  if (known) return known;
  const open = makeConnections(key === '{}' ? {} : { proxyEnv });
  shared.set(key, open);
  return open;
}

/** Separate connections, for options that the shared ones lack (a certificate authority in a test). */
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
