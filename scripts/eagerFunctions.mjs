import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RolldownMagicString } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';

/**
 * Node's cache of compiled code has only what V8 compiles together with the file. By default that is no function: each is
 * parsed again by every process that calls it. A function expression in parentheses is compiled with its file, so the
 * functions that a rehearsal called get them. All functions would be too many: those that are not called must be read too.
 */
export function compileEarly(dist, coverage) {
  for (const [file, called] of calledFunctions(dist, coverage)) {
    writeFileSync(file, withParentheses(readFileSync(file, 'utf8'), called));
  }
}

const place = ({ start, end }) => `${start}-${end}`;

/** The places of called functions by file, from what Node writes for NODE_V8_COVERAGE. */
function calledFunctions(dist, coverage) {
  const files = new Map();
  for (const name of readdirSync(coverage)) {
    const { result } = JSON.parse(readFileSync(path.join(coverage, name), 'utf8'));
    for (const { url, functions } of result) {
      const file = url.startsWith('file:') ? fileURLToPath(url) : url;
      if (!file.startsWith(dist + path.sep)) continue;
      const called = files.get(file) ?? new Set();
      files.set(file, called);
      for (const { ranges } of functions) {
        const [{ startOffset: start, endOffset: end, count }] = ranges;
        if (count > 0) called.add(place({ start, end }));
      }
    }
  }
  return files;
}

/** V8 does not do this for methods and async arrow functions. */
function withParentheses(code, called) {
  const text = new RolldownMagicString(code);
  const { program } = parseSync('chunk.cjs', code, { sourceType: 'script' });
  const methods = new Set();
  const wrap = (node) => {
    if (!called.has(place(node)) || methods.has(node)) return;
    text.prependRight(node.start, '(');
    text.appendLeft(node.end, ')');
  };
  const noteMethod = ({ value, method, kind }) => {
    if (method !== false || kind !== 'init') methods.add(value);
  };
  new Visitor({
    MethodDefinition: noteMethod,
    Property: noteMethod,
    FunctionExpression: wrap,
    ArrowFunctionExpression: (node) => node.async || wrap(node),
  }).visit(program);
  const declared = program.body.filter((node) => node.type === 'FunctionDeclaration' && called.has(place(node)));
  for (const node of declared) hoist(text, node);
  return text.toString();
}

/** A declaration is hoisted, an expression is not: it moves to the start of the file. */
function hoist(text, { start, end, id, async, generator }) {
  text.update(start, id.end, `var ${id.name}=(${async ? 'async ' : ''}function${generator ? '*' : ''}`);
  text.appendLeft(end, ');');
  text.move(start, end, 0);
}
