// usage: node installOthers.ts
// Installs what tests run of others, several at a time, while lint and types are checked: on a new machine, each of them would
// keep a test waiting. A test that needs one meanwhile waits for it, and one that is missing is installed by its test, which
// says why it cannot.
import { HOST_PACKAGES, type HostName } from './hosts/hostPackages.ts';
import { installHost } from './hosts/installHost.ts';
import { findClaudeCodePeer, findTestPeer } from './peers.ts';

const AT_A_TIME = 3;
const hosts = Object.keys(HOST_PACKAGES) as HostName[];
const frameworks = ['openaiAgents', 'piCodingAgent', 'agentSdk', 'langchain', 'mastra'];

// in the order in which tests want them
const wanted: (() => Promise<{ readonly type: string; readonly reason?: string }>)[] = [
  findClaudeCodePeer,
  ...hosts.map((name) => () => installHost(name)),
  ...frameworks.map((name) => () => findTestPeer(name)),
];
const skips = ['STOPGATE_SKIP_HOSTS', 'STOPGATE_SKIP_CLAUDE_CODE', 'STOPGATE_SKIP_ADAPTERS'];

async function installNext(): Promise<void> {
  for (let next = wanted.shift(); next; next = wanted.shift()) {
    const outcome = await next();
    if (outcome.type === 'missing') process.stderr.write(`${outcome.reason}\n`);
  }
}

if (!skips.some((name) => process.env[name] === '1')) await Promise.all(Array.from({ length: AT_A_TIME }, installNext));
