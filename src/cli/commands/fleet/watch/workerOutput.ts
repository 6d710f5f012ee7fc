import { fileTail } from '../../../../system/fileTail.ts';
import { isSameHost, thisHost } from '../../../../system/thisHost.ts';
import { workerLog } from '../fleetFolder.ts';
import { shownLine } from './shownLine.ts';

const READ_BYTES = 256 * 1024;
const KEPT_LINES = 2_000;
const LAST_BYTES = 4_096;

/** The output of one worker, followed: all that is kept of it, the newest line last. */
export function followOutput(stopgateHome: string, workerId: string, host: string | null) {
  const file = workerLog(stopgateHome, workerId);
  if (host !== null && !isSameHost(host, thisHost())) {
    const where = `Its output is on its own host, ${shownLine(host)}, in ~/.stopgate/fleet/${shownLine(workerId)}.log.`;
    return { lines: () => [where] };
  }
  const tail = fileTail(file, READ_BYTES);
  let lines: string[] = [''];
  return {
    lines: (): readonly string[] => {
      const read = tail.read();
      if (read.type === 'missing') return [`No output is kept for this worker: there is no ${shownLine(file)}.`];
      if (read.isNew) lines = [''];
      if (read.text !== '') {
        const [first = '', ...more] = read.text.split('\n');
        lines = [...lines.slice(0, -1), (lines.at(-1) ?? '') + first, ...more].slice(-KEPT_LINES);
      }
      return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
    },
  };
}

/** What a worker of this host printed last; empty when nothing is known. */
export function lastOutput(stopgateHome: string, workerId: string): string {
  const read = fileTail(workerLog(stopgateHome, workerId), LAST_BYTES).read();
  if (read.type === 'missing') return '';
  return shownLine(read.text.trimEnd().split('\n').at(-1) ?? '');
}
