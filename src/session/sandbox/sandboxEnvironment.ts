import { LEADING_OUT } from './credentialPlaces.ts';

export interface EnvironmentFacts {
  readonly env: Readonly<Record<string, string>>;
  readonly temp: string;
  /** From `sandbox.credentials.envVars`. */
  readonly secretVariables: readonly string[];
  /** The port inside on which the proxy can be reached; undefined without a network. */
  readonly proxyPort: number | undefined;
}

const LOOPBACK = 'localhost,127.0.0.1,::1';
const PROXY_NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];

/** The environment inside: without variables that lead to processes outside, with its own temp folder and proxy. */
export function sandboxEnvironment(facts: EnvironmentFacts): Record<string, string> {
  const left = new Set([...LEADING_OUT, ...facts.secretVariables, ...PROXY_NAMES]);
  const kept = Object.entries(facts.env).filter(([name]) => !left.has(name));
  return { ...Object.fromEntries(kept), TMPDIR: facts.temp, ...proxyVariables(facts.proxyPort) };
}

function proxyVariables(port: number | undefined): Record<string, string> {
  if (port === undefined) return {};
  const url = `http://127.0.0.1:${port}`;
  return {
    ...Object.fromEntries(PROXY_NAMES.map((name) => [name, url])),
    NO_PROXY: LOOPBACK,
    no_proxy: LOOPBACK,
    NODE_USE_ENV_PROXY: '1',
  };
}
