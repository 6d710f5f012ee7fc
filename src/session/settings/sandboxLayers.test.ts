import { describe, expect, it } from 'vitest';
import { NO_SANDBOX, type SandboxSettings } from '../../schemas/sandboxSettings.ts';
import { mergeSandbox } from './mergeSettings.ts';
import type { SettingsSource } from './types.ts';
import { narrowedSandbox } from './untrustedSandbox.ts';

const says = (more: Partial<SandboxSettings>): SandboxSettings => ({ ...NO_SANDBOX, ...more });
const domains = (allowedDomains: readonly string[], more = {}) => ({
  network: { ...NO_SANDBOX.network, allowedDomains, ...more },
});
const layer = (source: SettingsSource) => ({ source, file: '/home/me/.claude/settings.json' });

describe('layers of sandbox settings', () => {
  it('give a single value to the strongest, and join lists', () => {
    const user = mergeSandbox(undefined, says({ enabled: true, excludedCommands: ['a'] }), layer('user'));
    const merged = mergeSandbox(user, says({ enabled: false, excludedCommands: ['b'] }), layer('managed'));
    expect(merged).toEqual(says({ enabled: false, excludedCommands: ['a', 'b'] }));
  });

  it('keep what a stronger one does not say', () => {
    const user = mergeSandbox(undefined, says({ enabled: true, forced: true }), layer('user'));
    expect(mergeSandbox(user, says({}), layer('project'))).toEqual(says({ enabled: true, forced: true }));
  });

  it("start relative paths of the person's own file at its folder", () => {
    const filesystem = { ...NO_SANDBOX.filesystem, denyRead: ['x', './y', '/z', '~/a'] };
    expect(mergeSandbox(undefined, says({ filesystem }), layer('user')).filesystem.denyRead).toEqual([
      '/home/me/.claude/x',
      '/home/me/.claude/y',
      '/z',
      '~/a',
    ]);
    expect(mergeSandbox(undefined, says({ filesystem }), layer('project')).filesystem.denyRead).toEqual(
      filesystem.denyRead,
    );
  });

  it('leave out the domains of others when an administrator says so', () => {
    const user = mergeSandbox(undefined, says(domains(['a'])), layer('user'));
    const locked = domains(['b'], { allowManagedDomainsOnly: true });
    expect(mergeSandbox(user, says(locked), layer('managed')).network.allowedDomains).toEqual(['b']);
    expect(mergeSandbox(user, says(locked), layer('project')).network.allowedDomains).toEqual(['a', 'b']);
  });
});

describe('the sandbox of a repository that is not trusted', () => {
  it('is switched on without being enabled', () => {
    expect(narrowedSandbox(says({ enabled: true }))).toEqual({ sandbox: says({ forced: true }), skipped: [] });
  });

  it('narrows', () => {
    const narrow = says({
      autoAllowBashIfSandboxed: false,
      failIfUnavailable: true,
      filesystem: { ...NO_SANDBOX.filesystem, denyRead: ['a'], denyWrite: ['b'] },
      network: { ...NO_SANDBOX.network, deniedDomains: ['c'] },
      secretVariables: ['D'],
    });
    expect(narrowedSandbox(narrow)).toEqual({ sandbox: narrow, skipped: [] });
  });

  it.each<[string, Partial<SandboxSettings>]>([
    ['enabled', { enabled: false }],
    ['autoAllowBashIfSandboxed', { autoAllowBashIfSandboxed: true }],
    ['failIfUnavailable', { failIfUnavailable: false }],
    ['excludedCommands', { excludedCommands: ['x'] }],
    ['filesystem.allowWrite', { filesystem: { ...NO_SANDBOX.filesystem, allowWrite: ['/'] } }],
    ['filesystem.allowRead', { filesystem: { ...NO_SANDBOX.filesystem, allowRead: ['/'] } }],
    ['network.allowedDomains', domains(['*'])],
    ['network.allowUnixSockets', domains([], { allowUnixSockets: ['/run/docker.sock'] })],
    ['network.httpProxyPort', domains([], { httpProxyPort: 1 })],
  ])('does not widen by %s', (key, widening) => {
    const { sandbox, skipped } = narrowedSandbox(says(widening));
    expect(sandbox).toEqual(NO_SANDBOX);
    expect(skipped.map(({ path }) => path.join('.'))).toEqual([`sandbox.${key}`]);
  });
});
