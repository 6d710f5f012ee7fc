import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAlive, testProject } from '../support/project.ts';

const STREAM = ['--output-format', 'stream-json'];
const box = { command: process.execPath, args: [path.join(import.meta.dirname, '../support/mcpBox.mjs')] };
const config = (mcpServers: object) => ['--mcp-config', JSON.stringify({ mcpServers })];
const call = (name: string, input: object = {}) => ({ tools: [{ name, input: { ...input } }] });

interface Seen {
  readonly server: {
    readonly seen: readonly { readonly body: { readonly messages: unknown; readonly tools?: unknown } }[];
  };
}
const told = (project: Seen, n: number) => JSON.stringify(project.server.seen[n]?.body.messages);
const toolsOf = (project: Seen, n: number) =>
  (project.server.seen[n]?.body.tools ?? []) as { name: string; input_schema: object }[];
const namesOf = (project: Seen, n: number) => toolsOf(project, n).map(({ name }) => name);
const offered = (project: Seen) => namesOf(project, 0).filter((name) => name.startsWith('mcp__'));

describe.concurrent('MCP servers of the agent', () => {
  it('offers their tools with their schemas and instructions, and ends them with the session', async () => {
    await using project = await testProject((_, n) =>
      n === 0 ? call('mcp__box__say', { word: 'hi' }) : { text: 'ok' },
    );
    const { code, lines } = await project.run([
      '-p',
      'x',
      ...STREAM,
      ...config({ box }),
      '--allowedTools',
      'mcp__box__*',
    ]);
    expect(code).toBe(0);
    expect(offered(project)).toEqual(['mcp__box__say', 'mcp__box__env', 'mcp__box__slow']);
    const say = toolsOf(project, 0).find(({ name }) => name === 'mcp__box__say');
    expect(say?.input_schema).toMatchObject({ type: 'object', properties: { word: { type: 'string' } } });
    expect(JSON.stringify(project.server.seen[0]?.body)).toContain('Handle the box with care.');
    expect(told(project, 1)).toContain('heard hi');
    expect(lines[0].mcp_servers).toEqual([{ name: 'box', status: 'connected', source: 'dynamic' }]);
    expect(isAlive(Number(project.read('box.pid')))).toBe(false);
  });

  it('goes on without servers that hang, die or do not exist, and names them in one warning', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const hang = { command: 'sh', args: ['-c', 'echo $$ > hang.pid; exec sleep 600'] };
    const servers = {
      hang,
      dead: { command: 'false' },
      none: { command: './not-there' },
      far: { type: 'http', url: 'http://127.0.0.1:9/' },
      box,
    };
    const { code, stderr } = await project.run(['-p', 'x', ...config(servers)], { env: { MCP_TIMEOUT: '6000' } });
    expect(code).toBe(0);
    const [warning, ...more] = stderr.split('\n').filter((line) => line.includes('MCP'));
    expect(more).toEqual([]);
    expect(warning).toMatch(
      /tools are missing: hang \(no answer within 6s\); dead \(Connection closed\); none \(.*ENOENT\); far \(.+\)\. MCP_TIMEOUT/,
    );
    expect(offered(project)).toContain('mcp__box__say');
    expect(isAlive(Number(project.read('hang.pid')))).toBe(false);
  });

  it('gives a server no secret but those that its own env names', async () => {
    await using project = await testProject((_, n) => (n === 0 ? call('mcp__box__env') : { text: 'ok' }));
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as `.mcp.json` has it
    const server = { ...box, env: { GIVEN: '${MY_TOKEN}' } };
    const env = { MY_TOKEN: 'tok-1', OTHER_TOKEN: 'tok-2', PLAIN: 'plain-3' };
    await project.run(['-p', 'x', ...config({ box: server }), '--allowedTools', 'mcp__box'], { env });
    expect(told(project, 1)).toContain('plain-3');
    expect(told(project, 1)).toMatch(/GIVEN[^,]*tok-1/);
    expect(told(project, 1)).not.toMatch(/OTHER_TOKEN|tok-2|MY_TOKEN|ANTHROPIC_API_KEY/);
  });

  it.each([
    ['mcp__box', []],
    ['mcp__box__*', []],
    ['mcp__box__say', ['mcp__box__env', 'mcp__box__slow']],
    ['mcp__bo', ['mcp__box__say', 'mcp__box__env', 'mcp__box__slow']],
  ])('the deny rule %s leaves %j', async (rule, left) => {
    await using project = await testProject(() => ({ text: 'ok' }));
    await project.run(['-p', 'x', ...config({ box }), '--disallowedTools', rule, '--tools', 'Read']);
    expect(offered(project)).toEqual(left);
  });

  it('reads .mcp.json of a trusted project only, ~/.claude.json, and what --strict-mcp-config leaves', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    project.write('.mcp.json', JSON.stringify({ mcpServers: { shared: box, off: box } }));
    const projects = { [project.dir]: { mcpServers: { here: box } }, '/elsewhere': { mcpServers: { there: box } } };
    project.write('../home/.claude.json', JSON.stringify({ mcpServers: { mine: box }, projects }));
    project.write('../home/.claude/settings.json', JSON.stringify({ disabledMcpjsonServers: ['off'] }));
    const names = async (...args: string[]) => {
      const { lines } = await project.run(['-p', 'x', ...STREAM, ...args]);
      return lines[0].mcp_servers.map(({ name, source }: { name: string; source: string }) => `${name} ${source}`);
    };
    expect(await names()).toEqual(['mine user', 'here local']);
    expect(await names('--trust-project', ...config({ flag: box }))).toEqual([
      'mine user',
      'shared project',
      'here local',
      'flag dynamic',
    ]);
    expect(await names('--trust-project', '--strict-mcp-config', ...config({ flag: box }))).toEqual(['flag dynamic']);
    expect(await names('--trust-project', '--bare')).toEqual([]);
  });

  it.each([
    ['not-there.json', /the file not-there\.json cannot be read/],
    ['{"servers":{}}', /has no "mcpServers" object/],
    ['{"mcpServers"', /is not valid JSON/],
  ])('--mcp-config %s ends the run with a sentence', async (value, sentence) => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const { code, stderr } = await project.run(['-p', 'x', '--mcp-config', value]);
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
    expect(project.server.seen).toEqual([]);
  });

  it('a call that never ends is ended at MCP_TOOL_TIMEOUT, and the model is told', async () => {
    await using project = await testProject((_, n) => (n === 0 ? call('mcp__box__slow') : { text: 'ok' }));
    const env = { MCP_TOOL_TIMEOUT: '300' };
    const { code } = await project.run(['-p', 'x', ...config({ box }), '--allowedTools', 'mcp__box'], { env });
    expect(code).toBe(0);
    expect(told(project, 1)).toContain('Request timed out');
  });

  it('an interrupt ends a call and its server', async () => {
    await using project = await testProject((_, n) => (n === 0 ? call('mcp__box__slow') : { text: 'ok' }));
    const running = project.start(['-p', 'x', ...config({ box }), '--allowedTools', 'mcp__box']);
    await project.sees('asked');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(isAlive(Number(project.read('box.pid')))).toBe(false);
  });

  it('a subagent has the tools of a server that its definition names', async () => {
    await using project = await testProject((body, n) => {
      if (n === 0) return call('Agent', { description: 'd', prompt: 'p', subagent_type: 'boxer' });
      return { text: (body.tools as { name: string }[]).map(({ name }) => name).join(' ') };
    });
    const agents = JSON.stringify({ boxer: { description: 'd', prompt: 'p', tools: ['Read', 'mcp__box'] } });
    await project.run(['-p', 'x', ...config({ box }), '--agents', agents]);
    expect(namesOf(project, 1)).toEqual(['Read', 'mcp__box__say', 'mcp__box__env', 'mcp__box__slow']);
  });

  it('reaches a server over HTTP, with headers filled from the environment', async () => {
    await using remote = await httpBox();
    await using project = await testProject((_, n) =>
      n === 0 ? call('mcp__far__say', { word: 'hi' }) : { text: 'ok' },
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as `.mcp.json` has it
    const far = { type: 'http', url: remote.url, headers: { authorization: 'Bearer ${MY_TOKEN}' } };
    const args = ['-p', 'x', ...config({ far }), '--allowedTools', 'mcp__far__say'];
    const { code } = await project.run(args, { env: { MY_TOKEN: 'tok-1' } });
    expect(code).toBe(0);
    expect(told(project, 1)).toContain('heard hi');
    expect(new Set(remote.authorizations)).toEqual(new Set(['Bearer tok-1']));
  });
});

/** The least that an MCP server over HTTP has to answer. */
async function httpBox() {
  const authorizations: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    authorizations.push(request.headers.authorization);
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await bodyOf(request));
    if (id === undefined) return response.writeHead(202).end();
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'far', version: '1' },
      },
      'tools/list': { tools: [{ name: 'say', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: `heard ${params?.arguments?.word}` }] },
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    authorizations,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
