/** Samples by name: `add('sqlite 1 ours 1000', figures)`, then one list per figure, in the order of the rounds. */
export function collectSamples() {
  const cells = new Map();
  return {
    add: (name, figures) => {
      if (!cells.has(name)) cells.set(name, []);
      cells.get(name).push(figures);
    },
    has: (name) => cells.has(name),
    of: (name, figure) => cells.get(name)?.map((figures) => figures[figure]) ?? [],
  };
}
