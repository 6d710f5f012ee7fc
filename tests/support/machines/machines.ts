import type { ChildProcess } from 'node:child_process';
import type { PostgresServer } from '../postgresServer.ts';

/** A computer of a test: processes, a name and a network of its own, as far as `Machines.kind` has them. */
export interface Machine {
  readonly name: string;
  /** The store, as this machine reaches it. */
  readonly url: string;
  start(words: readonly string[], options: MachineStart): MachineProcess;
  /** SIGKILL to the process that this machine knows by this id. */
  killProcess(pid: number): void;
  /** Every process of it by SIGKILL; its name and its network are gone afterwards. */
  kill(): Promise<void>;
  /** Drops this share of all packets from and to the server: 1 is a cut, 0 an open way. */
  lose(share: number): Promise<void>;
}

export interface MachineProcess {
  /** Of the test: it ends when the process on the machine does. */
  readonly child: ChildProcess;
  /** To the process on the machine. */
  signal(name: NodeJS.Signals): void;
  /** Resolves to its exit code, or null after a signal. */
  readonly ended: Promise<number | null>;
}

export interface MachineStart {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The file of its stdout and stderr. */
  readonly log: string;
}

/** Some machines and a PostgreSQL server that they reach over a network. Nothing of it outlives the process of the test. */
export interface Machines extends AsyncDisposable {
  /** `proxies`: one machine and its loopback, with a proxy between each of them and the server. */
  readonly kind: 'namespaces' | 'proxies';
  readonly server: PostgresServer;
  /** The address of the server's machine, for other services than PostgreSQL. */
  readonly serverAddress: string;
  /** Starts a service on the server's machine. */
  serve(words: readonly string[], options: MachineStart): MachineProcess;
  /** The store from the test itself, which no fault of the network reaches. */
  readonly ownUrl: string;
  /** A new one; two of them may have one hostname. */
  add(name: string, hostname: string): Promise<Machine>;
}
