import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Where an address leads: an http hook of a stranger's repository must not reach a metadata service. */
export type AddressClass = 'loopback' | 'private' | 'public';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const notPublic = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 128],
  // an IPv4 address in disguise may be any of the above
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv6');
}

export function addressClass(address: string): AddressClass {
  // BlockList looks through `::ffff:10.0.0.1` by itself
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (loopback.check(address, family)) return 'loopback';
  return notPublic.check(address, family) ? 'private' : 'public';
}

/** The host of a URL as an address, when it is one; a name is looked at after it was resolved. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
}

export function refusal(host: string, address: string): string {
  const where = host === address ? host : `${host} (${address})`;
  return `${where} is a private address; set STOPGATE_HTTP_HOOKS_ALLOW_PRIVATE=1 to let http hooks reach it`;
}

/**
 * Resolves names as usual and refuses private answers. The socket connects to the very addresses that were checked:
 * a name that changes its mind between two look-ups gains nothing.
 */
export function guardedLookup(lookUp: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, options, (error, address, family) => {
      if (error) return callback(error, address, family);
      const all = typeof address === 'string' ? [address] : address.map((one) => one.address);
      const refused = all.find((one) => addressClass(one) === 'private');
      if (refused !== undefined) return callback(new Error(refusal(hostname, refused)), address, family);
      callback(null, address, family);
    });
  };
}
