import { describe, expect, it } from 'vitest';
import type { SettingsIssue } from './objectReader.ts';
import { NO_SANDBOX, readSandbox } from './sandboxSettings.ts';

function read(value: unknown) {
  const issues: SettingsIssue[] = [];
  return { sandbox: readSandbox(value, issues), issues };
}

describe('sandbox settings', () => {
  it('are empty by default', () => {
    expect(read({})).toEqual({ sandbox: NO_SANDBOX, issues: [] });
  });

  it('are read as Claude Code writes them', () => {
    const { sandbox, issues } = read({
      enabled: true,
      autoAllowBashIfSandboxed: false,
      failIfUnavailable: true,
      allowUnsandboxedCommands: false,
      excludedCommands: ['docker'],
      filesystem: { allowWrite: ['~/.kube'], denyWrite: ['/etc'], denyRead: ['~/'], allowRead: ['.'] },
      network: {
        allowedDomains: ['*.example.com'],
        deniedDomains: ['x.example.com'],
        allowUnixSockets: ['/s'],
        httpProxyPort: 8080,
      },
      credentials: { files: [{ path: '~/.aws', mode: 'deny' }], envVars: [{ name: 'TOKEN', mode: 'mask' }] },
    });
    expect(issues).toEqual([]);
    expect(sandbox).toEqual({
      enabled: true,
      autoAllowBashIfSandboxed: false,
      failIfUnavailable: true,
      excludedCommands: ['docker'],
      filesystem: { allowWrite: ['~/.kube'], denyWrite: ['/etc'], denyRead: ['~/'], allowRead: ['.'] },
      network: {
        allowedDomains: ['*.example.com'],
        deniedDomains: ['x.example.com'],
        allowUnixSockets: ['/s'],
        httpProxyPort: 8080,
      },
      secretFiles: ['~/.aws'],
      secretVariables: ['TOKEN'],
      withoutEffect: [],
    });
  });

  it.each([
    ['another type', 'on', ['sandbox'], 'must be an object, but is "on"'],
    ['a switch', { enabled: 'yes' }, ['sandbox', 'enabled'], 'must be true or false, but is "yes"'],
    ['a list', { excludedCommands: 'docker' }, ['sandbox', 'excludedCommands'], 'must be a list, but is "docker"'],
    [
      'an entry',
      { filesystem: { denyRead: ['a', 3] } },
      ['sandbox', 'filesystem', 'denyRead', 1],
      'is not an entry of this list, but is 3',
    ],
    [
      'a port',
      { network: { httpProxyPort: 0 } },
      ['sandbox', 'network', 'httpProxyPort'],
      'must be a port number, but is 0',
    ],
  ])('name %s that is wrong, with its place', (_name, value, path, message) => {
    expect(read(value).issues).toEqual([{ path, message }]);
  });

  it.each([
    [{ allowUnsandboxedCommands: true }, ['allowUnsandboxedCommands']],
    [
      { network: { allowLocalBinding: true, socksProxyPort: 1 } },
      ['network.allowLocalBinding', 'network.socksProxyPort'],
    ],
    [{ enableWeakerNestedSandbox: true, filesystem: { x: 1 } }, ['enableWeakerNestedSandbox', 'filesystem.x']],
  ])('name what has no effect in %j', (value, keys) => {
    expect(read(value).sandbox.withoutEffect).toEqual(keys);
  });
});
