import { hookJson } from '../hookJson.ts';
import { outcomeInWords, statusInWords } from './outcomeInWords.ts';
import type { TestResult } from './tryHooks.ts';
import { verdictInWords } from './verdictInWords.ts';

/** A test for a script: all that was kept of what hooks printed. */
export function testJson(result: TestResult) {
  const { event, input, ends, notRun, broken, verdict, later, late, problems } = result;
  return {
    event: event.name,
    example: input.isExample,
    filled: input.filled,
    stdin: event.json,
    hooks: ends.map((end) => {
      const { exitCode, durationMs, stdout, stderr } = end.outcome.printed;
      return {
        ...hookJson(end.hook),
        outcome: end.outcome.type,
        status: statusInWords(end.outcome),
        exitCode: exitCode ?? null,
        durationMs: Math.round(durationMs),
        stdout,
        stderr,
        readAs: outcomeInWords(end, event),
      };
    }),
    notRun: notRun.map(({ hook, why }) => ({ ...hookJson(hook), why })),
    broken: broken.map(({ file, line, path, problems: found }) => ({
      file,
      line: line ?? null,
      path,
      problems: found,
    })),
    background: { leftForTheModel: later, endedLate: late },
    verdict: { ...verdict, inWords: verdictInWords(verdict, event.row, ends) },
    problems,
  };
}
