import { UserError } from '../../../../system/userError.ts';

const MOST_BYTES = 500_000_000;

/** All of stdin, however many tasks that is; `told` hears how much has come. */
export async function readPipe(told: (bytes: number) => void): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new UserError('More than 500 MB came on stdin; add the tasks in parts.');
    chunks.push(chunk);
    told(size);
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}
