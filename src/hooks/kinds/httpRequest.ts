import type { BlockList, LookupFunction } from 'node:net';
import { makeConnections, type OpenRequest } from '../../system/http/connections.ts';
import { type HttpRequest, sendRequest } from '../../system/http/sendRequest.ts';
import { readWhole } from '../../system/readWhole.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const tooLong = () => new Error(`the answer is longer than ${MAX_BODY_BYTES} bytes`);

export interface HttpResponse {
  readonly status: number;
  readonly location?: string;
  readonly body: string;
}

/** Rejects with a sentence when there is no whole answer. */
export type SendRequest = (request: HttpRequest) => Promise<HttpResponse>;

/** Keeps connections open: a hook at every tool call must not pay for a handshake each time. */
export function keepAliveRequests(lookup?: LookupFunction): SendRequest {
  const open = makeConnections(lookup ? { lookup } : {});
  return (request) => wholeAnswer(request, open, { maxBytes: MAX_BODY_BYTES, tooLong });
}

export async function wholeAnswer(
  request: HttpRequest,
  open: OpenRequest,
  limit: Parameters<typeof readWhole>[1],
): Promise<HttpResponse> {
  const response = await sendRequest(request, { open });
  const { location } = response.headers;
  const body = await readWhole(response, limit);
  return { status: response.statusCode ?? 0, body, ...(location !== undefined && { location }) };
}

/** An http hook of an unknown repository must not reach a metadata service. */
type AddressClass = 'loopback' | 'private' | 'public';

const NOT_PUBLIC = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 128, 'ipv6'],
  // an IPv4 address in disguise may be any of the above
  ['64:ff9b::', 96, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
] as const;

interface Lists {
  readonly loopback: BlockList;
  readonly notPublic: BlockList;
}

let known: Lists | undefined;

/** Made when the first http hook runs, so that other sessions do not load Node's network modules. */
function lists(): Lists {
  if (known) return known;
  const { BlockList } = process.getBuiltinModule('node:net');
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  const notPublic = new BlockList();
  for (const [network, prefix, family] of NOT_PUBLIC) notPublic.addSubnet(network, prefix, family);
  known = { loopback, notPublic };
  return known;
}

export function addressClass(address: string): AddressClass {
  // BlockList looks through `::ffff:10.0.0.1` by itself
  const { loopback, notPublic } = lists();
  const family = process.getBuiltinModule('node:net').isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (loopback.check(address, family)) return 'loopback';
  return notPublic.check(address, family) ? 'private' : 'public';
}

/** The host of a URL as an address, when it is one; a name is checked after it was resolved. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return process.getBuiltinModule('node:net').isIP(bare) === 0 ? undefined : bare;
}

export function refusal(host: string, address: string): string {
  const where = host === address ? host : `${host} (${address})`;
  return `${where} is a private address; set STOPGATE_HTTP_HOOKS_ALLOW_PRIVATE=1 to let http hooks reach it`;
}

const systemLookup: LookupFunction = (...args) => process.getBuiltinModule('node:dns').lookup(...args);

/** Resolves names and refuses private answers. */
export const guardedLookup = (lookUp?: LookupFunction): LookupFunction =>
  checkedLookup((address) => addressClass(address) === 'private', refusal, lookUp);

/** Refuses answers with a sentence. The socket connects to the addresses that were checked, so rebinding a name is useless. */
export function checkedLookup(
  isRefused: (address: string) => boolean,
  why: (hostname: string, address: string) => string,
  lookUp: LookupFunction = systemLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, options, (error, address, family) => {
      if (error) return callback(error, address, family);
      const all = typeof address === 'string' ? [address] : address.map((one) => one.address);
      const refused = all.find(isRefused);
      if (refused !== undefined) return callback(new Error(why(hostname, refused)), address, family);
      callback(null, address, family);
    });
  };
}
