/**
 * The one policy on secrets of an environment: which variables are secrets, and which child process gets which of them.
 *
 * A child gets no secret by default, because what a model runs, and every library that it imports, could print or send it.
 * `STOPGATE_PASS_ENV` names those that all children get; each kind of child has its own row in `CHILDREN`.
 */
type Environment = Readonly<Record<string, string | undefined>>;

/** Names, comma separated; `*` stands for any characters. Read from the environment and from the `env` of trusted settings. */
export const PASS_ENV = 'STOPGATE_PASS_ENV';

/** Secret wherever it stands in a name, whatever stands beside it: PGPASSWORD, `clientSecret`. */
const ANYWHERE =
  /SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTHTOKEN|CONNECTION_?STRING|SSHPASS/;

/** Secret as the last word of a name, also with a number after it: `GH_PAT`, `SIGNING_KEY_2`. */
const LAST_WORDS = new Set(
  'KEY KEYS TOKEN TOKENS PASS PWD PAT AUTH AUTHORIZATION DSN JWT COOKIE COOKIES HEADERS WEBHOOK BEARER'.split(' '),
);

/** `TOKEN` is a word of secrets in the middle, too: `AWS_BEARER_TOKEN_BEDROCK`, `TOKEN_GITHUB`. */
const TOKEN_WORDS = /(?:^|_)TOKEN(?:_|$)/;

/** A token that is counted, timed or described is a setting: `MAX_TOKEN_COUNT`, `TOKEN_URL`. */
const SETTING_WORDS = new Set(
  'LIMIT COUNT BUDGET WINDOW SIZE LENGTH RATE TTL EXPIRY EXPIRES LIFETIME TIMEOUT INTERVAL MS SECONDS MINUTES DAYS MAX MIN USAGE PRICE COST TYPE NAME ISSUER URL URI ENDPOINT FILE PATH DIR FORMAT ALGORITHM ENABLED REQUIRED'.split(
    ' ',
  ),
);

/** Keys that are meant to be seen, or that open nothing. */
const OPEN_KEYS = /(?:^|_)(?:PUBLIC|PUBLISHABLE|CACHE|SORT|PRIMARY|FOREIGN|PARTITION|HOT|MAP|SHORTCUT|CONFIG)_KEYS?$/;

/** Values that say nothing, and amounts (`200k`). */
const NO_VALUE = /^(?:true|false|yes|no|on|off|none|null|[01])?$/i;
const AMOUNT = /^\d{1,9}(?:\.\d{1,6})?[kmg]?$/i;

/** Other names that hold headers or credentials. */
const EXACT = new Set([
  'ANTHROPIC_CUSTOM_HEADERS',
  'AWS_ACCESS_KEY_ID',
  'DOCKER_AUTH_CONFIG',
  'MYSQL_PWD',
  'PGPASSFILE',
]);

/**
 * postgres://me:word@host, also without a user (redis://:word@host). A password may have a slash; a port and a path with an
 * `@` in it are no password.
 */
export const PASSWORD_IN_ADDRESS = /\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s/?#@:]{0,256}:(?!\d{1,5}[/?#])([^\s@]{1,512})@/i;

/** What a name is not needed for: passwords in addresses and connection strings, headers, and the shapes of known keys. */
const SECRET_VALUES: readonly RegExp[] = [
  PASSWORD_IN_ADDRESS,
  // as Go's drivers have it: me:word@tcp(host)/db
  /:[^\s@]{1,512}@(?:tcp|unix)\(/,
  /(?:^|[?&;,\s])(?:password|passwd|pwd|sslpassword|api[_-]?key|apikey|access[_-]?token|auth[_-]?token|token|secret|accountkey|sharedaccesskey|sig)=[^\s&;]{3}/i,
  /\b(?:proxy-)?authorization\s{0,4}[:=]/i,
  /\bBearer\s{1,4}[\w.~+/=-]{8}/i,
  /\bx-(?:api-key|auth-token)\s{0,4}[:=]/i,
  /"(?:auth|private_key|password|token|secret|api_?key)"\s{0,4}:\s{0,4}"[^"]/i,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/,
  /\b(?:sk|rk|pk_live|sk_live|xai|gsk|nvapi)[-_][\w-]{16}/,
  /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|pypi-|dop_v1_|shpat_|sbp_|ya29\.)[\w.-]{16}/,
  /\bxox[abeoprs]-[\w-]{10}/,
  /\bAIza[\w-]{30}/,
  /\beyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}\.[\w-]{8}/,
  /\bhooks\.slack\.com\/services\//,
];

/** The words of a name in upper case: `npm_config_//host/:_authToken` is `NPM_CONFIG_HOST_AUTH_TOKEN`. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replaceAll(/[^A-Z\d]+/g, '_');

function isSecretName(name: string, value: string): boolean {
  // ours hold no secrets but in addresses, which their values show
  if (name.startsWith('STOPGATE_')) return false;
  if (EXACT.has(name)) return true;
  const words = wordsOf(name).replace(/_+$/, '');
  const parts = words.replace(/(?:_\d+)+$/, '').split('_');
  const last = parts.at(-1) ?? '';
  // `PWD` and `OLDPWD` are folders, and so is any that holds one
  if (last === 'PWD') return parts.length > 1 && !value.startsWith('/');
  if (OPEN_KEYS.test(parts.join('_'))) return false;
  if (SETTING_WORDS.has(last) && AMOUNT.test(value)) return false;
  if (ANYWHERE.test(words)) return true;
  if (last === 'TOKENS' && AMOUNT.test(value)) return false;
  return LAST_WORDS.has(last) || (TOKEN_WORDS.test(words) && !SETTING_WORDS.has(last));
}

/** Whether a variable is a secret, by its name or by what it holds. */
export function isSecret(name: string, value: string): boolean {
  if (NO_VALUE.test(value) || name === PASS_ENV) return false;
  return isSecretName(name, value) || SECRET_VALUES.some((shape) => shape.test(value));
}

/** Gets a secret although it is one. */
type Gets = (name: string, env: Environment) => boolean;

const none: Gets = () => false;
const all: Gets = () => true;

/** An agent that cannot reach its model is of no use; a proxy's password is a part of the way there. */
const PROXY = /^(?:https?|all)_proxy$/i;
const PROVIDERS =
  /^(?:ANTHROPIC|CLAUDE|OPENAI|CODEX|GEMINI|GOOGLE_(?:API|GENERATIVE)|AZURE_(?:OPENAI|API|AI)|AWS_BEARER|OPENROUTER|MISTRAL|XAI|GROK|GROQ|DEEPSEEK|COHERE|CO_API|TOGETHER|FIREWORKS|PERPLEXITY|CEREBRAS|MOONSHOT|KIMI|DASHSCOPE|QWEN|ZAI|ZHIPU|MINIMAX|OLLAMA|LITELLM|LLM|NVIDIA|AI_GATEWAY|COPILOT|CURSOR|AMP|OPENCODE)_/;

/** Where Claude Code's models may be served, and the switch that says so. */
const CLAUDE_CLOUDS: readonly { readonly names: RegExp; readonly switch: string }[] = [
  { names: /^AWS_/, switch: 'CLAUDE_CODE_USE_BEDROCK' },
  { names: /^(?:GOOGLE|GCLOUD|CLOUD_ML|VERTEX)_/, switch: 'CLAUDE_CODE_USE_VERTEX' },
  { names: /^AZURE_/, switch: 'CLAUDE_CODE_USE_FOUNDRY' },
];

const isOn = (value: string | undefined) => value !== undefined && !/^(?:0|false|no|off)?$/i.test(value);

const claude: Gets = (name, env) =>
  /^(?:ANTHROPIC|CLAUDE)_/.test(name) ||
  PROXY.test(name) ||
  CLAUDE_CLOUDS.some((cloud) => cloud.names.test(name) && isOn(env[cloud.switch]));

/** Which secrets each kind of child gets beside those of `STOPGATE_PASS_ENV`. */
const CHILDREN = {
  /** What a model runs: Bash, background shells, `!` blocks, searches; and the checks of a definition of done. */
  command: none,
  /** Command hooks; an entry's `allowedEnvVars` adds to it. */
  hook: none,
  /** MCP servers; what their own `env` says is added to it. */
  mcpServer: none,
  /** Our own: git, ripgrep, ps. */
  helper: none,
  /** The program that a person launches: it gets what their shell would give it. */
  launched: all,
  /** A worker's agents, by host. Our own asks this policy for its own children. */
  stopgateAgent: all,
  claudeAgent: claude,
  otherAgent: (name) => PROVIDERS.test(name) || PROXY.test(name),
} satisfies Readonly<Record<string, Gets>>;

export type ChildKind = keyof typeof CHILDREN;

/** The names that the way back lets through. */
function passList(text: string): (name: string) => boolean {
  const patterns = text.split(/[\s,]+/).filter((word) => word !== '');
  const exact = new Set(patterns.filter((word) => !word.includes('*')));
  const wild = patterns.filter((word) => word.includes('*')).map(asPattern);
  return (name) => exact.has(name) || wild.some((pattern) => pattern.test(name));
}

function asPattern(word: string): RegExp {
  const parts = word.split(/\*+/).map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`);
}

/** The names of those secrets that a child of this kind does not get; `granted` are names that this one needs. */
export function withheldFrom(kind: ChildKind, env: Environment, granted: readonly string[] = []): ReadonlySet<string> {
  const isPassed = passList([env[PASS_ENV] ?? '', ...granted].join(','));
  const gets: Gets = CHILDREN[kind];
  const names = Object.keys(env).filter((name) => {
    const value = env[name];
    return value !== undefined && isSecret(name, value) && !isPassed(name) && !gets(name, env);
  });
  return new Set(names);
}

/** The environment of a child of this kind. */
export function environmentFor(
  kind: ChildKind,
  env: Environment,
  granted: readonly string[] = [],
): Record<string, string> {
  return without(withheldFrom(kind, env, granted), env);
}

/** An environment with more variables over it. The names that either passes are passed: a later layer takes none back. */
export function mergedEnvironment<Env extends Environment>(env: Env, more: Env): Env {
  const passed = [env[PASS_ENV], more[PASS_ENV]].filter((names) => names !== undefined && names !== '');
  return { ...env, ...more, ...(passed.length > 0 && { [PASS_ENV]: passed.join(',') }) };
}

/** What stands for a secret where a missing variable would do harm. */
const STAND_INS: readonly { readonly name: RegExp; readonly value: (secret: string) => string }[] = [
  // git refuses to start when one of its numbered settings is missing
  { name: /^GIT_CONFIG_VALUE_\d+$/, value: () => '' },
  // without it `stopgate task` would work on another store, and not say so
  { name: /^STOPGATE_STORE$/, value: withoutPassword },
];

function withoutPassword(address: string): string {
  return address
    .replace(/^([a-z][a-z\d+.-]{0,30}:\/\/[^\s/?#@:]{0,256}):[^\s@]{1,512}@/i, '$1@')
    .replaceAll(/(?<=[?&])(?:ssl)?password=[^&#]*&?/gi, '');
}

/** The environment without these, or with what stands for them. */
export function without(withheld: ReadonlySet<string>, env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(env)) {
    const value = env[name];
    if (value === undefined) continue;
    const standIn = withheld.has(name) ? STAND_INS.find((one) => one.name.test(name)) : { value: () => value };
    if (standIn) kept[name] = standIn.value(value);
  }
  return kept;
}

/** The names of all secrets, whoever gets them. */
export function secretNames(env: Environment): readonly string[] {
  return Object.keys(env).filter((name) => isSecret(name, env[name] ?? ''));
}

/** What must not be written down, whatever printed it: the values of secrets, and the passwords in addresses. */
export function secretValues(env: Environment): readonly string[] {
  const values = secretNames(env).map((name) => env[name] ?? '');
  const passwords = values.flatMap((value) => {
    const [, password] = PASSWORD_IN_ADDRESS.exec(value) ?? [];
    return password === undefined ? [] : [password];
  });
  // the longest first: what is a part of another value must not leave the rest of it
  return [...new Set([...values, ...passwords])].toSorted((one, other) => other.length - one.length);
}

/** Which of these names a text uses, such as a command: `$NAME`, `process.env.NAME`. */
export function namesIn(text: string, names: Iterable<string>): readonly string[] {
  const words = new Set(text.match(/\w+/g));
  return [...names].filter((name) => words.has(name));
}
