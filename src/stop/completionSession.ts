/** Under which name the checks of a worker's completions are remembered: apart from its agent's stops, which have limits of their own. */
export const completionSession = ({
  workerId,
  incarnation,
}: {
  readonly workerId: string;
  readonly incarnation: number;
}): string => `completions of ${workerId} ${incarnation}`;
