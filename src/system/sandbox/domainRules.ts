import { BlockList, isIP } from 'node:net';

export interface DomainRules {
  /** `example.com`, `*.example.com` for its subdomains, `*` for all. */
  readonly allowed: readonly string[];
  /** Overrides `allowed`. */
  readonly denied: readonly string[];
}

/** This machine and its link-local network: any foreign name can resolve to these. */
const LOCAL = new BlockList();
LOCAL.addSubnet('127.0.0.0', 8, 'ipv4');
LOCAL.addSubnet('0.0.0.0', 8, 'ipv4');
LOCAL.addSubnet('169.254.0.0', 16, 'ipv4');
LOCAL.addAddress('::', 'ipv6');
LOCAL.addAddress('::1', 'ipv6');
LOCAL.addSubnet('fe80::', 10, 'ipv6');

export function isDomainAllowed(host: string, { allowed, denied }: DomainRules): boolean {
  const name = plainName(host);
  if (name === '') return false;
  const covers = (pattern: string) => covered(name, plainName(pattern));
  return allowed.some(covers) && !denied.some(covers);
}

/** A local address is allowed only for a host that the rules name exactly. */
export function isAddressAllowed(host: string, address: string, { allowed }: DomainRules): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (!LOCAL.check(address, family)) return true;
  return allowed.some((pattern) => plainName(pattern) === plainName(host));
}

function covered(name: string, pattern: string): boolean {
  if (pattern === '*') return true;
  if (pattern.startsWith('*.')) return isIP(name) === 0 && name.endsWith(pattern.slice(1));
  return name === pattern;
}

/** In lower case, without a trailing dot and without the brackets of an address. */
function plainName(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
