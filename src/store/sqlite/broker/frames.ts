/** What goes over the socket: one JSON object a line. */
export interface RequestFrame {
  readonly id: number;
  readonly operation: string;
  readonly request: object;
}

export type ReplyFrame =
  | { readonly id: number; readonly outcome: object }
  /** A bug on the other side, thrown again on this one. */
  | { readonly id: number; readonly bug: string };

export function encodeFrame(frame: RequestFrame | ReplyFrame): string {
  return `${JSON.stringify(frame)}\n`;
}

/** Puts chunks together to whole lines; both sides are ours, so what a line says is taken as it is. */
export function frameReader<Frame>(onFrame: (frame: Frame) => void): (chunk: string) => void {
  let begun: string[] = [];
  return (chunk) => {
    const [first = '', ...others] = chunk.split('\n');
    begun.push(first);
    for (const line of others) {
      onFrame(JSON.parse(begun.join('')));
      begun = [line];
    }
  };
}
