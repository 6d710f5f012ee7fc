/**
 * Where the finished part of a growing Markdown text ends: after the last empty line that is not inside a code fence. What is
 * before it can be printed for good.
 */
export function finishedPart(text: string): number {
  let finished = 0;
  let fence: string | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    at += line.length + 1;
    // a list may continue after an empty line; breaking it there only costs a bit of spacing
    if (fence === undefined && line.trim() === '' && at <= text.length) finished = at;
  }
  return finished;
}
