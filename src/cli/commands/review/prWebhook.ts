import path from 'node:path';
import { parseDuration } from '../../../budget/timeBudget.ts';
import { addressClass, checkedLookup, wholeAnswer } from '../../../hooks/kinds/httpRequest.ts';
import type { ReviewConfig } from '../../../schemas/reviewConfig.ts';
import { callAfter, wallNow } from '../../../system/clock.ts';
import { formatSeconds } from '../../../system/formatDuration.ts';
import { connectionsFor, makeConnections, type OpenRequest } from '../../../system/http/connections.ts';
import { readByteFileSync } from '../../../system/readTextFile.ts';
import { redactSecrets } from '../../../system/redactSecrets.ts';
import { UserError } from '../../../system/userError.ts';
import { version } from '../../../system/version.ts';
import type { World } from '../../../system/world.ts';
import {
  idempotencyKey,
  type Opened,
  type Proposal,
  readWebhookAnswer,
  shownUrl,
  signatureOf,
  whyRefused,
} from './webhookRules.ts';

/** A service of the person that opens pull requests. */
export interface Webhook {
  readonly url: URL;
  readonly secret: string;
  readonly timeoutMs: number;
}

type Config = NonNullable<ReviewConfig['prWebhook']>;

const SECRET_VARIABLE = 'STOPGATE_WEBHOOK_SECRET';
const DEFAULT_TIMEOUT_MS = 30_000;
const LONGEST_TIMEOUT_MS = 5 * 60_000;

/** From the command line and review.json; throws a sentence when it cannot be called. */
export function webhookOf(
  named: string | undefined,
  config: Config | undefined,
  world: Pick<World, 'env' | 'homeDir'>,
): Webhook {
  const text = named ?? config?.url;
  if (text === undefined)
    throw new UserError('Name the webhook: --pr-webhook URL, or "url" of "prWebhook" in review.json.');
  const url = URL.parse(text);
  if (url === null) throw new UserError(`The webhook must be a URL, such as https://ci.example.org/pull-requests.`);
  const why = whyRefused(url);
  if (why !== null) throw new UserError(`The webhook ${shownUrl(url)} is not called: ${why}.`);
  return { url, secret: secretOf(config, world), timeoutMs: timeoutOf(config) };
}

function timeoutOf({ timeout }: Config = {}): number {
  if (timeout === undefined) return DEFAULT_TIMEOUT_MS;
  const ms = (typeof timeout === 'number' ? timeout : (parseDuration(timeout) ?? 0)) * 1_000;
  if (ms > 0 && ms <= LONGEST_TIMEOUT_MS) return ms;
  throw new UserError(`"timeout" of "prWebhook" in review.json must be at most 5m, such as "30s"; got "${timeout}".`);
}

function secretOf(config: Config | undefined, world: Pick<World, 'env' | 'homeDir'>): string {
  const { secretEnv, secretFile } = config ?? {};
  if (secretEnv !== undefined && secretFile !== undefined)
    throw new UserError('"prWebhook" in review.json has "secretEnv" and "secretFile"; keep one of them.');
  if (secretFile !== undefined) return secretIn(secretFile.replace(/^~(?=\/)/, world.homeDir));
  const name = secretEnv ?? SECRET_VARIABLE;
  const secret = world.env[name]?.trim();
  if (secret) return secret;
  const instead = secretEnv === undefined ? ', or name a variable or file in "prWebhook" of review.json' : '';
  throw new UserError(`There is no secret to sign the request with: set ${name}${instead}.`);
}

const LARGEST_SECRET = 4_096;
const OTHERS = 0o077;

/** Never a file that others could read or replace by name: its content would be theirs too. */
function secretIn(file: string): string {
  const problem = (what: string) => new UserError(`The secret file ${file} of the webhook ${what}.`);
  if (!path.isAbsolute(file)) throw problem('must be named by an absolute path');
  const read = readByteFileSync(file, LARGEST_SECRET);
  if (read.type === 'missing') throw problem('does not exist');
  if (read.type === 'unreadable') throw problem(`cannot be read: ${read.message}`);
  const { mode, uid } = read.facts;
  const own = process.getuid?.();
  if ((mode & OTHERS) !== 0 || (own !== undefined && uid !== own))
    throw problem('can be read by others; run `chmod 600` on it, as its owner');
  const secret = read.bytes.toString('utf8').trim();
  if (secret === '' || read.cut) throw problem('must contain one secret of at most 4 kB');
  return secret;
}

export interface WebhookCall {
  readonly proposal: Proposal;
  /** The same as on the stdin of a command. */
  readonly facts: object;
  readonly signal: AbortSignal;
}

/** Asks for the pull request once. A lost answer is asked for again by accepting again: the key is the same. */
export async function callWebhook(
  { url, secret, timeoutMs }: Webhook,
  { proposal, facts, signal }: WebhookCall,
  { env, clock }: Pick<World, 'env' | 'clock'>,
): Promise<Opened> {
  const body = JSON.stringify(facts);
  const key = idempotencyKey(proposal);
  const at = Math.floor(wallNow(clock) / 1_000);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': `stopgate/${version}`,
    'idempotency-key': key,
    'stopgate-signature': signatureOf({ secret, at, key, body }),
  };
  const late = new AbortController();
  const cancel = callAfter(clock, timeoutMs, () =>
    late.abort(new Error(`no whole answer within ${formatSeconds(timeoutMs)}`)),
  );
  try {
    const request = { url, method: 'POST', headers, body, signal: AbortSignal.any([late.signal, signal]) };
    const answer = await wholeAnswer(request, opener(url, env), { maxBytes: LARGEST_ANSWER, tooLong });
    const read = readWebhookAnswer(answer, secret);
    return read.type === 'failed' ? failed(read.reason, secret) : read;
  } catch (error) {
    const why = signal.aborted ? 'interrupted' : error instanceof Error ? error.message : String(error);
    return failed(why, secret);
  } finally {
    cancel();
  }
}

/** The person may not get their own secret back from a service that prints its input. */
const failed = (reason: string, secret: string): Opened => ({
  type: 'failed',
  reason: redactSecrets(reason, [secret]).replace(/\.$/, ''),
});

const LARGEST_ANSWER = 64_000;
const tooLong = () => new Error(`its answer is larger than ${LARGEST_ANSWER / 1_000} kB`);

/** A plain connection goes to this machine, whatever a name is said to be, and never through a proxy. */
const opener = ({ protocol }: URL, env: World['env']): OpenRequest =>
  protocol === 'https:' ? connectionsFor(env) : makeConnections({ lookup: loopbackLookup, keepAlive: false });

const loopbackLookup = checkedLookup(
  (address) => addressClass(address) !== 'loopback',
  (hostname, other) => `${hostname} is ${other}, which is not this machine; use https://`,
);
