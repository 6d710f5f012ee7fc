/** Output that goes nowhere, into a log, into a file of its own in /tmp, or into a message for git. */
export function isScratch(file: string): boolean {
  return /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$|\.log$|^\/(?:var\/)?tmp\/[^/]+$|^(?:\$TMPDIR|\$\{TMPDIR[^}]*\})\/[^/]+$|(?:^|\/)\.git\/[A-Z_]*MSG$/.test(
    file,
  );
}

/** Plain text whose name says nothing else, or a report by its name: `out.txt`, `junit-report.xml`, `results.json`. */
const OUTPUT =
  /(?:^|\/)[^/$`]*\.(?:txt|out|err|tap)$|(?:results?|reports?|output|junit|coverage)[^/$`]*\.(?:json|xml|html|md)$/i;
/** Text files that a project has anyway. */
const OF_THE_PROJECT =
  /(?:^|\/)(?:requirements|constraints|cmakelists|licen[cs]e|notice|readme|robots|changelog|todo)[^/]*$/i;

/** Where a test's output may be kept. A source file that is written over is an edit. */
export const isTestOutput = (file: string): boolean =>
  isScratch(file) || (OUTPUT.test(file) && !OF_THE_PROJECT.test(file));
