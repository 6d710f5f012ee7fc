import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Repository {
  readonly dir: string;
  readonly git: (...args: string[]) => string;
}

interface Parent {
  readonly of: string;
  readonly to: string;
}

/** Both give a commit another parent than it names, for a git that believes them. */
export function graft({ dir }: Repository, { of, to }: Parent): void {
  mkdirSync(path.join(dir, '.git/info'), { recursive: true });
  writeFileSync(path.join(dir, '.git/info/grafts'), `${to}\n${of} ${to}\n`);
}

export function forgedGraph({ dir, git }: Repository, { of, to }: Parent): void {
  git('-c', 'commitGraph.generationVersion=1', 'commit-graph', 'write', '--reachable');
  const file = path.join(dir, '.git/objects/info/commit-graph');
  const bytes = readFileSync(file);
  const chunks = Array.from({ length: bytes.readUInt8(6) }, (_, at) => bytes.subarray(8 + 12 * at, 20 + 12 * at));
  const [ids = 0, data = 0] = ['OIDL', 'CDAT'].map((name) =>
    Number(chunks.find((chunk) => chunk.toString('latin1', 0, 4) === name)?.readBigUInt64BE(4)),
  );
  const placeOf = (commit: string) => (bytes.indexOf(Buffer.from(commit, 'hex'), ids) - ids) / 20;
  const entry = data + 36 * placeOf(of);
  bytes.writeUInt32BE(placeOf(to), entry + 20);
  // it must not look older than its parent
  bytes.writeUInt8(1, entry + 28);
  createHash('sha1')
    .update(bytes.subarray(0, -20))
    .digest()
    .copy(bytes, bytes.length - 20);
  chmodSync(file, 0o600);
  writeFileSync(file, bytes);
}
