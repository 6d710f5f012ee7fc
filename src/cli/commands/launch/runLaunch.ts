import { type Launch, type Launched, launch, NotLaunched } from '../../../launch/launch.ts';
import type { LaunchReport } from '../../../launch/launchReport.ts';
import { writeFileAtomically } from '../../../system/atomicFile.ts';
import { listenForInterrupts, SIGNAL_EXIT } from '../../../system/interrupts.ts';
import { thisWorld } from '../../../system/world.ts';
import { drained, endingLines, processWriter } from '../../../system/writer.ts';
import { paintFor } from '../../output/colors.ts';
import { type LaunchOptions, launchRequest } from './launchRequest.ts';
import { isGood, reportText, startText } from './launchText.ts';

/** `stopgate launch`: runs an agent and reports how it ended. */
export async function runLaunch(words: readonly string[], options: LaunchOptions): Promise<number> {
  const request = launchRequest(words, options);
  const world = thisWorld();
  const interrupted = new AbortController();
  const writer = endingLines(processWriter(() => {}));
  using interrupts = listenForInterrupts(
    () => world.processes.killAll(),
    (text) => writer.err(`stopgate: ${text}\n`),
    { what: 'the agent', ...(request.interactive && { ignore: ['SIGINT'] }) },
  );
  interrupts.signal.addEventListener('abort', () => interrupted.abort(`${interrupts.received()} was received`));
  const launched = await launch({
    request,
    world,
    writer,
    interrupted,
    onStart: (facts) => request.quiet || writer.err(startText(request, facts)),
  }).catch((error) => {
    if (error instanceof NotLaunched) return error;
    throw error;
  });
  await world.processes.endAll();
  if (launched instanceof NotLaunched) {
    writer.err(`stopgate: ${launched.message}\n`);
    return SIGNAL_EXIT[interrupts.received() ?? ''] ?? 1;
  }
  const reported = await report(launched, { request, world, writer });
  const signal = interrupts.received();
  if (signal) return SIGNAL_EXIT[signal] ?? 1;
  return launched.report.exitCode === 0 && !reported ? NO_REPORT_EXIT : launched.report.exitCode;
}

/** An input or output error in `sysexits.h`. */
const NO_REPORT_EXIT = 74;

/** False when the file of `--report` could not be written. */
async function report(
  { report, shownNotes }: Launched,
  { request, world, writer }: Pick<Launch, 'request' | 'world' | 'writer'>,
): Promise<boolean> {
  const failure = request.reportFile === undefined ? null : await writeReport(request.reportFile, report);
  if (failure !== null) writer.err(`stopgate: ${failure}\n`);
  if (request.json) writer.line(JSON.stringify(report));
  // --quiet still prints failures
  const text = reportText({ ...report, notes: shownNotes }, paintFor(writer.errIsTerminal, world.env));
  if (!request.quiet || !isGood(report)) writer.err(text);
  await drained();
  return failure === null;
}

async function writeReport(file: string, report: LaunchReport): Promise<string | null> {
  try {
    await writeFileAtomically(file, `${JSON.stringify(report, null, 2)}\n`);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `The report could not be written to ${file} (${code ?? message}).`;
  }
}
