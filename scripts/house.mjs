// Size figures: files and lines of src/ without tests, small files whose only importer is in the same folder, and import
// cycles including types. `node scripts/house.mjs` prints the figures, `--list` also prints the files.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const SMALL_LINES = 40;
const root = path.join(import.meta.dirname, '..');
const { values: flags } = parseArgs({ options: { list: { type: 'boolean', default: false } } });

const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => `src/${name.split(path.sep).join('/')}`)
  .sort();
const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
const linesOf = (file) => texts.get(file).split('\n').length - 1;

/** Every relative path that a file imports or re-exports, static, dynamic or as a type. */
const importsOf = (file) => {
  const specifiers = texts.get(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
  const targets = [...specifiers].map(([, specifier]) => path.posix.join(path.posix.dirname(file), specifier));
  return [...new Set(targets)].filter((target) => texts.has(target));
};
const graph = new Map(files.map((file) => [file, importsOf(file)]));

const importers = new Map(files.map((file) => [file, []]));
for (const [file, targets] of graph) for (const target of targets) importers.get(target).push(file);

const onlyImporter = (file) => (importers.get(file).length === 1 ? importers.get(file)[0] : undefined);
const smallBesideImporter = files.filter((file) => {
  const importer = onlyImporter(file);
  return linesOf(file) <= SMALL_LINES && importer && path.dirname(importer) === path.dirname(file);
});

/** Tarjan: sets of files that reach each other. */
function cyclesIn(edges) {
  const found = [];
  const index = new Map();
  const low = new Map();
  const stack = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of edges.get(node)) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const members = stack.splice(stack.indexOf(node));
    if (members.length > 1) found.push(members.sort());
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return found;
}
const cycles = cyclesIn(graph);

const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
const print = (text) => process.stdout.write(`${text}\n`);
print(`files ${files.length}`);
print(`lines ${lines}`);
print(`files of at most ${SMALL_LINES} lines whose only importer is in the same folder ${smallBesideImporter.length}`);
print(`import cycles, types included ${cycles.length}`);
if (flags.list) {
  for (const file of smallBesideImporter)
    print(`small  ${linesOf(file)}  ${file} <- ${path.basename(onlyImporter(file))}`);
  for (const members of cycles) print(`cycle  ${members.join(' ')}`);
}
