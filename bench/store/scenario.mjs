/** The measurements and their durations; a window ends early when no tasks are left. */
export const FULL = {
  sizes: [1_000, 100_000, 1_000_000],
  serverSizes: [1_000, 100_000, 1_000_000],
  many: 16,
  singleRounds: 9,
  singleTurns: 20,
  turnMs: 80,
  manyRounds: 5,
  manyMs: 2_000,
  jitSize: 98_000,
  serverRounds: 9,
  serverSingleMs: 600,
  serverMs: 2_000,
  coldRounds: 7,
};

export const QUICK = {
  sizes: [1_000, 10_000, 50_000],
  // creating databases takes longer than filling them
  serverSizes: [1_000, 10_000],
  many: 16,
  singleRounds: 2,
  singleTurns: 3,
  turnMs: 60,
  manyRounds: 1,
  manyMs: 700,
  jitSize: 10_000,
  serverRounds: 1,
  serverSingleMs: 300,
  serverMs: 700,
  coldRounds: 2,
};
