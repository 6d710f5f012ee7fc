// Writes docs/api.md from the declarations of the build: every name that a sub-path of the package exports, with its comment.
// `node scripts/apiDocs.mjs` after a build; a test compares the file with what this would write.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const root = path.join(import.meta.dirname, '..');
const PAGE = path.join(root, 'docs/api.md');
/** Types that TypeScript computed, such as those of schemas, can be thousands of characters long. */
const LONGEST_TYPE = 600;

/** The text of docs/api.md. */
export function apiPage() {
  const { name, exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const entries = Object.entries(exports).flatMap(([at, target]) =>
    target.types ? [{ module: path.posix.join(name, at), file: path.join(root, target.types) }] : [],
  );
  const named = entries.map((entry) => ({ ...entry, names: namesIn(entry.file) }));
  const sections = named.map(sectionOf);
  const anchor = anchors();
  anchor('API');
  const links = named.map(({ module, names }) => {
    const link = `- [\`${module}\`](#${anchor(module)})`;
    return `${link}: ${names.map(({ name }) => `[${name}](#${anchor(name)})`).join(' · ')}`;
  });
  const intro = `# API\n\nWritten from the types by \`node scripts/apiDocs.mjs\`. What is not here may change. [library.md](library.md) shows how the
parts work together, [adapters.md](adapters.md) has the loops of others.\n`;
  return `${[intro, `${links.join('\n')}\n`, ...sections].join('\n')}`;
}

const namesIn = (file) => exportedNames(file).toSorted((a, b) => a.name.localeCompare(b.name));

/** The anchors that a page's headings get, in their order: of several with one name all but the first are numbered. */
function anchors() {
  const seen = new Map();
  return (heading) => {
    const plainName = heading.toLowerCase().replaceAll(/[^\w-]/g, '');
    const count = seen.get(plainName) ?? 0;
    seen.set(plainName, count + 1);
    return count === 0 ? plainName : `${plainName}-${count}`;
  };
}

function sectionOf({ module, file, names }) {
  const lead = /^\/\*\*\s*([\s\S]*?)\s*\*\//.exec(readFileSync(file, 'utf8'))?.[1];
  const parts = names.map(({ name, declared }) => `### ${name}\n\n${declared ? textOf(declared) : ''}`);
  return `## ${module}\n\n${lead === undefined ? '' : `${plain(lead)}\n\n`}${parts.join('\n')}`;
}

/** Each exported name with its declaration, followed through files that pass it on. */
function exportedNames(file, seen = new Set()) {
  if (seen.has(file) || !existsSync(file)) return [];
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  const { body } = parseAst(source, { lang: 'dts' });
  return body.flatMap((node) => {
    if (node.type === 'ExportAllDeclaration') {
      if (node.exported) return [{ name: node.exported.name, declared: null }];
      return exportedNames(besides(file, node.source.value), seen);
    }
    if (node.type === 'ExportDefaultDeclaration') return [{ name: 'default', declared: cut(source, node) }];
    if (node.type !== 'ExportNamedDeclaration') return [];
    if (node.declaration) return namesOf(node.declaration).map((name) => ({ name, declared: cut(source, node) }));
    return node.specifiers.map(({ local, exported }) => ({
      name: exported.name,
      declared: find(node.source ? besides(file, node.source.value) : file, local.name),
    }));
  });
}

const besides = (file, to) => path.join(path.dirname(file), to.replace(/\.ts$/, '.d.ts'));

/** The declaration of a name in a file, wherever it is passed on from. */
function find(file, name, seen = new Set()) {
  if (seen.has(file) || !existsSync(file)) return null;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  for (const node of parseAst(source, { lang: 'dts' }).body) {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (declaration && namesOf(declaration).includes(name)) return cut(source, node);
    const passed = node.specifiers?.find((one) => (one.exported ?? one.local)?.name === name);
    if (passed && node.source)
      return find(besides(file, node.source.value), (passed.imported ?? passed.local).name, seen);
  }
  return null;
}

const namesOf = (declaration) =>
  declaration.declarations?.map(({ id }) => id.name) ?? (declaration.id ? [declaration.id.name] : []);

/** A statement and the comment before it. */
function cut(source, { start, end }) {
  const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(source.slice(0, start))?.[0];
  return { comment, text: source.slice(start, end) };
}

function textOf({ comment, text }) {
  const code = text
    .replace(/^export (?:declare )?/, '')
    .replaceAll(/^ {4}/gm, '  ')
    .replace(/;?\s*$/, '');
  const short = code.length > LONGEST_TYPE && /^const /.test(code) ? `${code.slice(0, code.indexOf(':'))}: …` : code;
  return `${comment ? `${plain(comment.replace(/^\/\*\*|\*\/\s*$/g, ''))}\n\n` : ''}\`\`\`ts\n${short}\n\`\`\`\n`;
}

const plain = (comment) =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join(' ')
    .trim();

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(PAGE, apiPage());
