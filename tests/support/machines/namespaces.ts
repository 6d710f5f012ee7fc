import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { startPostgres } from '../postgresServer.ts';
import type { Machine, MachineProcess, MachineStart, Machines } from './machines.ts';

const SERVER = '10.77.0.1';
/** Only the namespaces of this test have these addresses. */
const NETWORK = '10.77.0.0/24';

/**
 * The first process of a machine: its end is the end of all others there, and of the namespaces, which have no other name. It ends
 * when its stdin does, so also when the test is killed; it ignores SIGCHLD, so that the kernel buries its orphans.
 */
const INIT = 'trap "" CHLD; ip link set lo up && hostname "$1" && echo ready && exec cat > /dev/null';
const UNSHARE = ['--net', '--pid', '--uts', '--mount', '--fork', '--kill-child', '--mount-proc'];

/** Why a test cannot have machines of its own here; null when it can. */
export function whyNoNamespaces(): string | null {
  if (process.platform !== 'linux') return 'there are network namespaces only on Linux';
  if (process.getuid?.() !== 0)
    return 'only root may create network namespaces with a PostgreSQL server in one of them';
  try {
    for (const program of ['ip', 'tc', 'nsenter', 'setpriv'])
      run([program, program === 'nsenter' ? '--version' : '-V']);
    run([
      'unshare',
      ...UNSHARE,
      'sh',
      '-c',
      'ip link add one type veth peer name other && ip link add lan type bridge',
    ]);
    return null;
  } catch (error) {
    return (error as Error).message.trim().split('\n').join('; ');
  }
}

interface Space {
  /** Of `unshare`, whose children are in the namespaces. */
  readonly pid: number;
  readonly child: ChildProcess;
  /** Before a command that runs in all of its namespaces. */
  readonly inside: readonly string[];
  /** The same, in its network alone: it stays the child of the test. */
  readonly network: readonly string[];
}

async function openSpace(hostname: string): Promise<Space> {
  const child = spawn('unshare', [...UNSHARE, 'sh', '-c', INIT, 'sh', hostname], { stdio: ['pipe', 'pipe', 'pipe'] });
  const pid = child.pid ?? 0;
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  if (child.exitCode !== null) throw new Error(`no namespaces for ${hostname}: ${said}`);
  const network = ['nsenter', '-t', `${pid}`, '--net'];
  const inside = [...network, '--uts', '--mount', `--pid=/proc/${pid}/ns/pid_for_children`];
  return { pid, child, inside, network: [...network, '--'] };
}

/** Resolves when the first process is gone, which is after all others. */
async function closeSpace({ pid, child }: Space): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const first = firstChild(pid);
  const gone = once(child, 'exit');
  signalOne(first ?? pid, 'SIGKILL');
  await gone;
}

const run = ([file = '', ...args]: readonly string[]) => execFileSync(file, args, { stdio: 'pipe', timeout: 20_000 });

/** `nsenter` stays outside, as the parent of the one process that is inside. */
function start(prefix: readonly string[], words: readonly string[], { cwd, env, log }: MachineStart): MachineProcess {
  const out = openSync(log, 'a');
  const [file = '', ...args] = [...prefix, `--wdns=${cwd}`, '--', ...words];
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', out, out] });
  closeSync(out);
  return {
    child,
    signal: (name) => {
      const inner = firstChild(child.pid ?? 0);
      if (inner !== null) signalOne(inner, name);
    },
    ended: once(child, 'exit').then(([code]) => code as number | null),
  };
}

function firstChild(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]) || null;
  } catch {
    return null;
  }
}

function signalOne(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // gone in the meantime
  }
}

/** A server with a bridge, and hosts that are each connected to it by one cable. */
export async function namespaces(): Promise<Machines> {
  await using stack = new AsyncDisposableStack();
  const space = await openSpace('server');
  stack.defer(() => closeSpace(space));
  const ip = (...words: string[]) => run([...space.network, 'ip', ...words]);
  ip('link', 'add', 'lan', 'type', 'bridge');
  ip('addr', 'add', `${SERVER}/24`, 'dev', 'lan');
  ip('link', 'set', 'lan', 'up');
  const server = stack.use(
    await startPostgres({ machine: { address: SERVER, network: NETWORK, words: space.network } }),
  );
  let count = 0;
  const owned = stack.move();
  return {
    kind: 'namespaces',
    server,
    serverAddress: SERVER,
    serve: (words, options) => start(space.inside, words, options),
    ownUrl: server.localUrl,
    add: async (name, hostname) => {
      const host = await openSpace(hostname);
      owned.defer(() => closeSpace(host));
      const cable = `cable${++count}`;
      ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', `${host.pid}`);
      ip('link', 'set', cable, 'master', 'lan', 'up');
      run([...host.network, 'ip', 'addr', 'add', `10.77.0.${10 + count}/24`, 'dev', 'eth0']);
      run([...host.network, 'ip', 'link', 'set', 'eth0', 'up']);
      run([...space.network, 'tc', 'qdisc', 'add', 'dev', cable, 'clsact']);
      return machineIn(host, { name, url: server.url, lose: (share) => loseOn(space, cable, share) });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Cable {
  readonly name: string;
  readonly url: string;
  readonly lose: (share: number) => void;
}

function machineIn(space: Space, { name, url, lose }: Cable): Machine {
  return {
    name,
    url,
    start: (words, options) => start(space.inside, words, options),
    killProcess: (pid) => {
      try {
        run([...space.inside, '--', 'kill', '-9', `${pid}`]);
      } catch {
        // gone in the meantime
      }
    },
    kill: () => closeSpace(space),
    lose: async (share) => lose(share),
  };
}

const HIGHEST = 2 ** 32 - 1;
/** Loads a random number; compares it; 2 drops the packet (TC_ACT_SHOT), -1 lets it pass (TC_ACT_UNSPEC). */
const dropped = (share: number) =>
  `4,32 0 0 4294963256,53 0 1 ${Math.round(HIGHEST * (1 - share))},6 0 0 2,6 0 0 4294967295`;

/** By a filter of four instructions: not every kernel has netem. */
function loseOn(space: Space, cable: string, share: number): void {
  for (const way of ['ingress', 'egress']) {
    const tc = (...words: string[]) => run([...space.network, 'tc', 'filter', ...words]);
    tc('del', 'dev', cable, way);
    if (share > 0) tc('add', 'dev', cable, way, 'bpf', 'da', 'bytecode', dropped(share));
  }
}
