import { createHmac, hash } from 'node:crypto';
import { addressClass, type HttpResponse, literalAddress } from '../../../hooks/kinds/httpRequest.ts';
import { jsonValue } from '../../../schemas/jsonValue.ts';
import { webhookAnswer } from '../../../schemas/reviewConfig.ts';
import { oneLine } from '../../../system/sentence.ts';

/** Why a webhook may not be called; null when it may. */
export function whyRefused(url: URL): string | null {
  if (url.username !== '' || url.password !== '')
    return 'it contains a user or password; a webhook is known by its signature';
  if (url.protocol === 'https:') return null;
  if (url.protocol !== 'http:') return 'it must begin with https://';
  return isLoopback(url.hostname) ? null : 'http:// is only for this machine; use https://';
}

function isLoopback(hostname: string): boolean {
  const address = literalAddress(hostname);
  return address === undefined ? hostname === 'localhost' : addressClass(address) === 'loopback';
}

/** For people: what follows the path may be a key. */
export const shownUrl = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

export interface Proposal {
  readonly taskId: string;
  readonly epoch: number;
  readonly commit: string;
  readonly target: string;
}

/** The same for every try to propose the same work, so that a receiver opens one pull request for all of them. */
export const idempotencyKey = ({ taskId, epoch, commit, target }: Proposal): string =>
  hash('sha256', JSON.stringify([taskId, epoch, commit, target])).slice(0, 32);

export interface Signed {
  readonly secret: string;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly key: string;
  readonly body: string;
}

/** Over the time and the idempotency key too: a request cannot be sent again under another key. */
export function signatureOf({ secret, at, key, body }: Signed): string {
  const code = createHmac('sha256', secret).update(`${at}.${key}.${body}`).digest('hex');
  return `t=${at},v1=${code}`;
}

export type Opened =
  | { readonly type: 'opened'; readonly url: string }
  | { readonly type: 'failed'; readonly reason: string };

const LONGEST_SHOWN = 200;

/**
 * Only a success that names the pull request counts. The secret is removed before anything is shortened: a part of it would not be
 * recognized afterwards.
 */
export function readWebhookAnswer({ status, body, ...response }: HttpResponse, secret = ''): Opened {
  const clean = (text: string) => (secret === '' ? text : text.replaceAll(secret, '[redacted]'));
  const location = response.location && clean(response.location);
  if (status >= 300 && status < 400)
    return failed(`it answered HTTP ${status}, a redirect${whereTo(location)}, which is not followed`);
  const said = oneLine(clean(body), LONGEST_SHOWN);
  const words = said === '' ? '' : `: ${said}`;
  if (status < 200 || status >= 300) return failed(`it answered HTTP ${status}${words}`);
  const read = webhookAnswer.safeParse(jsonValue(body));
  const url = read.success ? URL.parse(read.data.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    return failed(`it answered HTTP ${status} without the URL of a pull request ({"url": "https://…"})${words}`);
  if ([url.href, read.data?.url ?? ''].some((one) => clean(one) !== one))
    return failed(`it answered HTTP ${status} with a URL that contains its secret`);
  return { type: 'opened', url: url.href };
}

/** Without what follows the path, which may be a key. */
function whereTo(location: string | undefined): string {
  const url = location === undefined ? null : URL.parse(location);
  return url === null ? '' : ` to ${shownUrl(url)}`;
}

const failed = (reason: string): Opened => ({ type: 'failed', reason });
