import { splitToolList } from '../../permissions/splitToolList.ts';

export interface ChosenTools {
  /** Undefined for all. */
  readonly names: readonly string[] | undefined;
  readonly warnings: readonly string[];
}

/** `--tools`: names of tools, "" for none, `default` for all. A name that is none is left out, and that is said. */
export function chosenTools(flag: readonly string[] | undefined, known: readonly string[]): ChosenTools {
  const asked = (flag ?? ['default']).flatMap(splitToolList).map((name) => (name === 'Task' ? 'Agent' : name));
  if (asked.length === 1 && asked[0] === 'default') return { names: undefined, warnings: [] };
  const unknown = asked.filter((name) => !known.includes(name));
  const list = known.join(', ');
  return {
    names: asked.filter((name) => known.includes(name)),
    warnings: unknown.map((name) => `--tools: there is no tool ${JSON.stringify(name)}; the tools are ${list}.`),
  };
}
