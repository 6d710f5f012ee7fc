/** The variables by which everything that somebody has started is found again, whatever group it has moved to. */
export const MARKS = { launch: 'STOPGATE_LAUNCH_ID', worker: 'STOPGATE_FLEET_MARK' } as const;

export type Mark = (typeof MARKS)[keyof typeof MARKS];
