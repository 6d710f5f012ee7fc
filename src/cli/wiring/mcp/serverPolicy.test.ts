import { expect, it } from 'vitest';
import { excludedBy, mcpPolicyOf } from '../mcpServers.ts';

const started = { command: 'npx', args: ['-y', 'docs'], env: {} };
const remote = { type: 'http', url: 'https://docs.example.com/mcp', headers: {} } as const;

it.each([
  ['nothing', {}, undefined],
  ['a denied name', { deniedMcpServers: [{ serverName: 'docs' }] }, 'deniedMcpServers'],
  ['another denied name', { deniedMcpServers: [{ serverName: 'other' }] }, undefined],
  ['a denied command', { deniedMcpServers: [{ serverCommand: ['npx', '-y', 'docs'] }] }, 'deniedMcpServers'],
  ['a part of the command', { deniedMcpServers: [{ serverCommand: ['npx'] }] }, undefined],
  ['an allowed name', { allowedMcpServers: [{ serverName: 'docs' }] }, undefined],
  ['only another name allowed', { allowedMcpServers: [{ serverName: 'other' }] }, 'allowedMcpServers'],
  ['an empty list', { allowedMcpServers: [] }, 'allowedMcpServers'],
  ['a list that cannot be read', { allowedMcpServers: 'docs' }, 'allowedMcpServers'],
  [
    'allowed and denied',
    { allowedMcpServers: [{ serverName: 'docs' }], deniedMcpServers: [{ serverName: 'docs' }] },
    'deniedMcpServers',
  ],
  ['switched off', { disabledMcpjsonServers: ['docs'] }, 'disabledMcpjsonServers'],
] as const)('%s keeps a started server out: %j → %s', (_, settings, kept) => {
  const policy = mcpPolicyOf([settings]);
  expect(excludedBy({ name: 'docs', server: started, source: 'project' }, policy)).toBe(kept);
});

it.each([
  ['https://docs.example.com/*', 'deniedMcpServers'],
  ['https://*.example.com/mcp', 'deniedMcpServers'],
  ['https://docsXexample.com/mcp', undefined],
  ['https://docs.example.com', undefined],
])('the address %s keeps a remote server out: %s', (serverUrl, kept) => {
  const policy = mcpPolicyOf([{ deniedMcpServers: [{ serverUrl }] }]);
  expect(excludedBy({ name: 'docs', server: remote, source: 'user' }, policy)).toBe(kept);
});

it('switching off is about servers of .mcp.json, and all layers count', () => {
  const policy = mcpPolicyOf([{ disabledMcpjsonServers: ['docs'] }, { deniedMcpServers: [{ serverName: 'b' }] }]);
  expect(excludedBy({ name: 'docs', server: started, source: 'user' }, policy)).toBeUndefined();
  expect(excludedBy({ name: 'b', server: started, source: 'dynamic' }, policy)).toBe('deniedMcpServers');
});
