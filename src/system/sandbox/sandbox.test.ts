import { describe, expect, it } from 'vitest';
import { bwrapCommand } from './bwrapCommand.ts';
import { isAddressAllowed, isDomainAllowed } from './domainRules.ts';
import { type Mount, mountArguments } from './mounts.ts';
import { seccompFilter } from './seccompFilter.ts';

const sources = { emptyFile: '/e', deniedFolder: '/d' };

describe('mounts', () => {
  it('are made from the outside in, folders that are sealed last', () => {
    const mounts: Mount[] = [
      { type: 'readOnly', path: '/h/p/.git/config' },
      { type: 'writable', path: '/h/p' },
      { type: 'emptyFolder', path: '/h' },
    ];
    expect(mountArguments(mounts, sources).join(' ')).toBe(
      '--tmpfs /h --bind-try /h/p /h/p --ro-bind-try /h/p/.git/config /h/p/.git/config --remount-ro /h',
    );
  });

  it.each<[Mount['type'], Mount['type']]>([
    ['writable', 'readOnly'],
    ['readOnly', 'emptyFile'],
    ['emptyFile', 'deniedFile'],
    ['writable', 'deniedFolder'],
  ])('of %s and %s for the same path, the latter holds', (weak, strong) => {
    const at = (type: Mount['type']): Mount => ({ type, path: '/x' });
    const alone = mountArguments([at(strong)], sources);
    expect(mountArguments([at(weak), at(strong)], sources)).toEqual(alone);
    expect(mountArguments([at(strong), at(weak)], sources)).toEqual(alone);
  });
});

describe('the command line of bwrap', () => {
  it('keeps what the loader obeys from bwrap itself', () => {
    const bwrap = { program: '/usr/bin/bwrap', filterFile: '/f', disablesUserNamespaces: true };
    const inside = {
      file: '/bin/bash',
      args: ['-c', 'x'],
      cwd: '/p',
      env: { LD_PRELOAD: '/p/evil.so', LD_LIBRARY_PATH: '/p', A: '1' },
    };
    const { env, args } = bwrapCommand(bwrap, [], sources, inside);
    expect(env).toEqual({ A: '1' });
    expect(args.join(' ')).toContain(
      '--setenv LD_PRELOAD /p/evil.so --setenv LD_LIBRARY_PATH /p --chdir /p -- /bin/bash -c x',
    );
  });
});

describe('the filter', () => {
  it.each(['x64', 'arm64'])(
    'for %s is a whole number of instructions that all jump inside it and ends with a return',
    (arch) => {
      const filter = seccompFilter(arch) ?? Buffer.alloc(0);
      expect(filter.length % 8).toBe(0);
      const count = filter.length / 8;
      for (let at = 0; at < count; at++) {
        const isJump = (filter.readUInt16LE(8 * at) & 7) === 5;
        const furthest = Math.max(filter.readUInt8(8 * at + 2), filter.readUInt8(8 * at + 3));
        if (isJump) expect(at + 1 + furthest).toBeLessThan(count);
      }
      expect(filter.readUInt16LE(8 * (count - 1))).toBe(6);
    },
  );

  it('does not exist for processors whose calls are not known', () => {
    expect(seccompFilter('mips')).toBeUndefined();
  });
});

describe('domain rules', () => {
  const rules = {
    allowed: ['example.com', '*.example.org', '10.0.0.1'],
    denied: ['bad.example.org', '*.bad.example.org'],
  };

  it.each([
    ['example.com', true],
    ['EXAMPLE.com.', true],
    ['sub.example.com', false],
    ['a.b.example.org', true],
    ['example.org', false],
    ['evilexample.org', false],
    ['bad.example.org', false],
    ['x.bad.example.org', false],
    ['example.com.evil.net', false],
    ['10.0.0.1', true],
    ['10.0.0.2', false],
    ['', false],
  ])('%s: %s', (host, allowed) => {
    expect(isDomainAllowed(host, rules)).toBe(allowed);
  });

  it.each([
    ['example.com', '93.184.216.34', true],
    ['example.com', '127.0.0.1', false],
    ['example.com', '0.0.0.0', false],
    ['example.com', '169.254.169.254', false],
    ['example.com', '::1', false],
    ['example.com', '::ffff:127.0.0.1', false],
    ['example.com', 'fe80::1', false],
    ['localhost', '127.0.0.1', true],
  ])('%s at %s: %s', (host, address, allowed) => {
    const named = host === 'localhost' ? ['localhost'] : ['*'];
    expect(isAddressAllowed(host, address, { allowed: named, denied: [] })).toBe(allowed);
  });
});
