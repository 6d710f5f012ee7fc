/** The median of a list of samples, with its extremes as a measure of trust. */
export function summary(samples) {
  const sorted = samples.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), min: sorted[0], max: sorted.at(-1), count: sorted.length };
}

/**
 * The median of samples that were taken in two alternating orders. A process that runs after another one finds a cold
 * cache; if neighbors swap places each time, the mean of both medians does not depend on the place.
 */
export function balancedMedian(samples) {
  const medianOf = (parity) => summary(samples.filter((_, n) => n % 2 === parity)).median;
  return (medianOf(0) + medianOf(1)) / 2;
}

/** Two neighbors swap places every other time; one without a neighbor stays. */
export function inSwappedPairs(list, time) {
  return time % 2 === 0 ? list : list.map((own, n) => list[n ^ 1] ?? own);
}

/**
 * Ratios of two contestants that ran in the same rounds, pair by pair: a slow round affects both, so the ratio is steadier
 * than either time.
 */
export function ratios(ours, theirs) {
  const rounds = Math.min(ours.length, theirs.length);
  return summary(Array.from({ length: rounds }, (_, round) => ours[round] / theirs[round]));
}

function quantile(sorted, share) {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}
