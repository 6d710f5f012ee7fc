/** The measurements and their durations. */
export const FULL = {
  doneSizes: [1_000, 1_000_000],
  readRounds: 15,
  idleSlots: 100,
  idleProcesses: 10,
  idleRounds: 2,
  settleMs: 30_000,
  watchMs: 45_000,
  claimSize: 100_000,
  claimRounds: 7,
  claimMs: 2_000,
  processes: 3,
  workers: 10,
};

export const QUICK = {
  ...FULL,
  doneSizes: [1_000, 50_000],
  readRounds: 3,
  idleSlots: 20,
  idleProcesses: 3,
  idleRounds: 1,
  settleMs: 16_000,
  watchMs: 16_000,
  claimSize: 10_000,
  claimRounds: 2,
  claimMs: 700,
};
