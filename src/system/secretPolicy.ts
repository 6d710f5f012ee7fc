/**
 * The one policy on secrets of an environment: which variables are secrets, and which child process gets which of them.
 *
 * A child gets no secret by default, because what a model runs, and every library that it imports, could print or send it.
 * `STOPGATE_PASS_ENV` names those that all children get; each kind of child has its own row in `CHILDREN`.
 */

import { AGENT_SECRETS } from './agentSecrets.ts';
import type { Environment } from './environment.ts';
import { starPattern } from './starPattern.ts';

/** Names, comma separated; `*` stands for any characters. Read from the environment and from the `env` of trusted settings. */
export const PASS_ENV = 'STOPGATE_PASS_ENV';

// This runs at each start. A pattern costs a tenth of a millisecond before its first use, so most of it is plain words.
const words = (text: string): readonly string[] => text.split(' ');

/** Secret wherever it stands in a name, underscores left out: PGPASSWORD, `clientSecret`, OPENAI_API_KEY_2. */
const ANYWHERE = words(
  'SECRET PASSWORD PASSWD PASSPHRASE CREDENTIAL APIKEY ACCESSKEY ACCESSTOKEN PRIVATEKEY CONNECTIONSTRING SSHPASS SEEDPHRASE AUTHHEADER',
);

/** Secret as the last word of a name, also with a number after it: `GH_PAT`, `SIGNING_KEY_2`. */
const LAST_WORDS = new Set(
  words(
    'KEY KEYS TOKEN TOKENS AUTHTOKEN PASS DBPASS DBPW SQLPASS MYSQLPASS PGPASS ROOTPASS USERPASS ADMINPASS PWD PW PAT AUTH AUTHORIZATION DSN JWT COOKIE COOKIES HEADERS WEBHOOK BEARER PIN PASSCODE OTP PSK MNEMONIC CRED CREDS',
  ),
);

/** What is counted, timed or described is a setting: `MAX_TOKEN_COUNT`, `TOKEN_URL`. */
const SETTING_WORDS = new Set(
  words(
    'LIMIT COUNT BUDGET WINDOW SIZE LENGTH RATE TTL EXPIRY EXPIRES LIFETIME TIMEOUT INTERVAL MS SECONDS MINUTES DAYS MAX MIN USAGE PRICE COST TYPE NAME ISSUER URL URI ENDPOINT FILE PATH DIR FORMAT ALGORITHM ENABLED REQUIRED MODE',
  ),
);

/** Before `KEY`: keys that are meant to be seen, or that open nothing. */
const OPEN_KEYS = new Set(words('PUBLIC PUBLISHABLE CACHE SORT PRIMARY FOREIGN PARTITION HOT MAP SHORTCUT CONFIG'));

/** What every name of a secret has. */
const NAME_HINTS = words(
  'KEY TOKEN PASS PWD PW PAT AUTH DSN JWT COOKIE HEADERS WEBHOOK BEARER SECRET CRED STRING PIN OTP PSK MNEMONIC SEED PK SESSION KUBECONFIG BUNDLE INDEX',
);

/** Two words that are one secret together: what stands last, and what before it. */
const PAIRS: Readonly<Record<string, readonly string[]>> = {
  SEED: words('TOTP OTP MFA WALLET MASTER HD'),
  PK: words('WALLET ETH DEPLOYER OWNER SIGNER PRIVATE'),
  SESSION: words('BW OP'),
  DATA: words('KUBECONFIG'),
  CONTENT: words('KUBECONFIG'),
};

/** Names that belong to Stopgate and look like secrets without being one. */
const OWN_NAMES = new Set([PASS_ENV, 'STOPGATE_BACKGROUND_MAX_TOKENS']);

/** Other names that hold credentials. */
const EXACT = new Set(
  words('AWS_ACCESS_KEY_ID DOCKER_AUTH_CONFIG PGPASSFILE NETRC SUPABASE_ANON TWILIO_SID TWILIO_ACCOUNT_SID'),
);

/** Values that say nothing. */
const NO_VALUES = new Set(['', ...words('true false yes no on off none null 0 1')]);

const isAmount = (value: string) => value.length < 18 && /^\d+(?:\.\d+)?[kmgKMG]?$/.test(value);
const isNumber = (word: string) => word !== '' && !Number.isNaN(Number(word));

/** A name is not needed to know connection strings and headers; what such a value, in small letters, has at least. */
const WORDED_HINTS = words('pass pwd= key token secret sig= authorization bearer "auth" @tcp( @unix( slack');
const WORDED =
  /(?:^|[?&;,\s])(?:password|passwd|pwd|sslpassword|api[_-]?key|access[_-]?token|auth[_-]?token|token|secret|accountkey|sharedaccesskey|sig)=[^\s&;]{3}|\bauthorization\s?[:=]|\bbearer\s[\w.~+/=-]{8}|\bx-(?:api-key|auth-token)\s?[:=]|"(?:auth|private_key|password|token|secret|api_?key)"\s?:\s?"[^"]|@(?:tcp|unix)\(|hooks\.slack\.com\/services\//;

/** Nor the shapes of known keys; how they begin. */
const SHAPED_HINTS = words(
  'PRIVATE sk- sk_ rk_ pk_ xai- gsk_ nvapi- ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- npm_ hf_ pypi- dop_v1_ shpat_ sbp_ ya29. xox AIza .eyJ',
);
const SHAPED =
  /-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:sk[-_]|rk_|pk_|xai-|gsk_|nvapi-)[\w-]{16}|\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|pypi-|dop_v1_|shpat_|sbp_|ya29\.|xox[abeoprs]-)[\w.-]{10}|\bAIza[\w-]{30}|\.eyJ\w{8}/;

const hasOne = (text: string, parts: readonly string[]) => parts.some((part) => text.includes(part));

/** The longest address that is looked at; more would let a hostile value take long. */
const ADDRESS_LENGTH = 2048;
/** What follows `://`: a user or none, a colon, a password, which may hold a slash. A port before a path with `@` is none. */
const AUTHORITY = /^[^\s/?#@:]*:(?!\d{1,5}[/?#])([^\s@\0]+)@/;

export interface PasswordPlace {
  readonly at: number;
  readonly length: number;
}

/** Where passwords are in addresses: postgres://me:word@host, redis://:word@host. */
export function passwordsIn(text: string): readonly PasswordPlace[] {
  const found: PasswordPlace[] = [];
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    const match = AUTHORITY.exec(text.slice(at + 3, at + 3 + ADDRESS_LENGTH));
    const length = match?.[1]?.length ?? 0;
    if (match && length > 0) found.push({ at: at + 3 + match[0].length - 1 - length, length });
  }
  return found;
}

/** Telegram's: a number, and 35 characters that begin with AA. */
const BOT_TOKEN = /(?:^|\D)\d{8,10}:AA[\w-]{33}/;
/** A user of such a length is a token: https://0123456789abcdef0123@host. */
const TOKEN_AS_USER = /^https?:\/\/(?=[^\s/@:]*\d)[\w-]{20,255}@/;

/** `Basic …`, when it is a user and a password. */
function isBasic(value: string): boolean {
  const text = value.slice(6).trim();
  return /^[\w+/=-]{4,4096}$/.test(text) && Buffer.from(text, 'base64').includes(':');
}

function isSecretValue(value: string): boolean {
  const small = value.toLowerCase();
  return (
    (hasOne(small, WORDED_HINTS) && WORDED.test(small)) ||
    (hasOne(value, SHAPED_HINTS) && SHAPED.test(value)) ||
    (small.startsWith('basic ') && isBasic(value)) ||
    (value.includes(':AA') && BOT_TOKEN.test(value)) ||
    (small.startsWith('http') && TOKEN_AS_USER.test(value)) ||
    passwordsIn(value).length > 0
  );
}

/** `npm_config_//host/:_authToken` is NPM, CONFIG, HOST, AUTH and TOKEN. */
function nameParts(name: string): readonly string[] {
  const upper = name.toUpperCase();
  const split = upper === name ? name : name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toUpperCase();
  return split.split(/[^A-Z\d]+/).filter((word) => word !== '');
}

function isSecretName(name: string, value: string): boolean {
  if (OWN_NAMES.has(name)) return false;
  if (EXACT.has(name) || name.startsWith('OP_SESSION_')) return true;
  if (!hasOne(name.toUpperCase(), NAME_HINTS)) return false;
  const all = nameParts(name);
  const named = all.slice(0, all.findLastIndex((word) => !isNumber(word)) + 1);
  const last = named.at(-1) ?? '';
  // `PWD` and `OLDPWD` are folders, and so is any that holds one
  if (last === 'PWD') return named.length > 1 && !value.startsWith('/');
  if (isPair(named, last) || isForHost(name, value)) return true;
  if ((last === 'KEY' || last === 'KEYS') && OPEN_KEYS.has(named.at(-2) ?? '')) return false;
  if (!(hasOne(all.join(''), ANYWHERE) || LAST_WORDS.has(last) || isTokenOf(all, last))) return false;
  return !((last === 'TOKENS' || SETTING_WORDS.has(last)) && isAmount(value));
}

const isPair = (named: readonly string[], last: string) =>
  Object.hasOwn(PAIRS, last) && PAIRS[last]?.includes(named.at(-2) ?? '') === true;

/** Bundler's `BUNDLE_GEMS__EXAMPLE__COM=user:word`, and pip's indexes, whose user may be a token. */
function isForHost(name: string, value: string): boolean {
  if (name.startsWith('BUNDLE_')) return name.includes('__') && /^[^\s/:]+:[^\s/]/.test(value);
  return name.includes('INDEX_URL') && /^https?:\/\/[^\s/@]+@/.test(value);
}

/** In the middle, too: `AWS_BEARER_TOKEN_BEDROCK`, `TOKEN_GITHUB`. */
const isTokenOf = (all: readonly string[], last: string) => all.includes('TOKEN') && !SETTING_WORDS.has(last);

/** Whether a variable is a secret, by its name or by what it holds. */
export function isSecret(name: string, value: string): boolean {
  if (NO_VALUES.has(value.length > 5 ? value : value.toLowerCase()) || name === PASS_ENV) return false;
  return isSecretName(name, value) || isSecretValue(value);
}

/** Gets a secret although it is one. */
type Gets = (name: string, env: Environment) => boolean;

const none: Gets = () => false;
const all: Gets = () => true;

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
  ...AGENT_SECRETS,
} satisfies Readonly<Record<string, Gets>>;

export type ChildKind = keyof typeof CHILDREN;

/** The names that the way back lets through. */
function passList(text: string): (name: string) => boolean {
  const patterns = text.split(/[\s,]+/).filter((word) => word !== '');
  const exact = new Set(patterns.filter((word) => !word.includes('*')));
  const wild = patterns.filter((word) => word.includes('*')).map(starPattern);
  return (name) => exact.has(name) || wild.some((pattern) => pattern.test(name));
}

/** What leads to a user's keys for git without being one. */
export const GIT_CREDENTIALS = words('SSH_AUTH_SOCK SSH_AGENT_PID SSH_ASKPASS GIT_ASKPASS GIT_SSH GIT_SSH_COMMAND');

/** Those of the names that `STOPGATE_PASS_ENV` does not name. */
export const notPassed = (names: readonly string[], env: Environment): readonly string[] => {
  const isPassed = passList(env[PASS_ENV] ?? '');
  return names.filter((name) => !isPassed(name));
};

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
  const [place] = passwordsIn(address);
  const plain = place ? address.slice(0, place.at - 1) + address.slice(place.at + place.length) : address;
  return plain.replaceAll(/(?<=[?&])(?:ssl)?password=[^&#]*&?/gi, '');
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

/** The names of all secrets, passed on or not. */
export function secretNames(env: Environment): readonly string[] {
  return Object.keys(env).filter((name) => isSecret(name, env[name] ?? ''));
}

/** What must not be written down, whatever printed it: the values of secrets, and the passwords in addresses. */
export function secretValues(env: Environment): readonly string[] {
  const values = secretNames(env).map((name) => env[name] ?? '');
  const passwords = values.flatMap((value) => passwordsIn(value).map(({ at, length }) => value.slice(at, at + length)));
  const distinctive = [...new Set([...values, ...passwords])].filter(isDistinctive);
  // the longest first: what is a part of another value must not leave the rest of it
  return distinctive.toSorted((one, other) => other.length - one.length);
}

/** A plain word (`postgres`) or a path would take ordinary text away, and is guessed first in any case. */
function isDistinctive(value: string): boolean {
  if (value.length < 6 || value.startsWith('/')) return false;
  return (
    value.length >= 16 || /[\d\W_]/.test(value) || (value !== value.toLowerCase() && value !== value.toUpperCase())
  );
}

/** Which of these names a text uses, such as a command: `$NAME`, `process.env.NAME`. */
export function namesIn(text: string, names: Iterable<string>): readonly string[] {
  const words = new Set(text.match(/\w+/g));
  return [...names].filter((name) => words.has(name));
}
