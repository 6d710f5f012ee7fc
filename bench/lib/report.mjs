import { ratios, summary } from './statistics.mjs';

/**
 * One line of a table: the same thing measured on several sides in the same rounds.
 * `sides` maps a contestant's name to its samples, ours first.
 */
export function row(what, unit, sides) {
  return { what, unit, sides };
}

/** `ours` must be at most `limit` times `theirs`. */
export function goal(what, { ours, theirs, limit }) {
  const ratio = ratios(ours, theirs);
  return { what, limit, ratio, met: ratio.median <= limit };
}

/** `ours` must be at least `limit` times `theirs`. */
export function atLeast(what, { ours, theirs, limit }) {
  const ratio = ratios(ours, theirs);
  return { what, limit, least: true, ratio, met: ratio.median >= limit };
}

export function printReport({ bench, machine, rows, goals, notes = [] }) {
  console.log(`\n${bench} · ${machine}\n`);
  printTable(['what', 'side', 'median', 'min – max', 'ours ×'], rows.flatMap(lines));
  if (goals.length > 0) {
    console.log();
    printTable(['goal', 'ratio', 'min – max', 'required', ''], goals.map(goalLine));
  }
  for (const note of notes) console.log(`\n${note}`);
}

function lines({ what, unit, sides }) {
  const [[, ours]] = Object.entries(sides);
  return Object.entries(sides).map(([name, samples], index) => {
    const { median, min, max } = summary(samples);
    const ratio = index === 0 ? '' : inWords(ratios(ours, samples));
    return [index === 0 ? what : '', name, `${figure(median)} ${unit}`, `${figure(min)} – ${figure(max)}`, ratio];
  });
}

const inWords = ({ median, min, max }) => `${figure(median)} (${figure(min)} – ${figure(max)})`;

const goalLine = ({ what, ratio, limit, least, met }) => [
  what,
  figure(ratio.median),
  `${figure(ratio.min)} – ${figure(ratio.max)}`,
  `${least ? '≥' : '≤'} ${figure(limit)}`,
  met ? 'met' : 'MISSED',
];

function printTable(head, body) {
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((cells) => cells[column].length)));
  const line = (cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd();
  console.log(line(head));
  console.log(widths.map((width) => '─'.repeat(width)).join('  '));
  for (const cells of body) console.log(line(cells));
}

function figure(value) {
  if (value >= 100) return value.toLocaleString('en', { maximumFractionDigits: 0 });
  return value.toLocaleString('en', { maximumFractionDigits: value >= 10 ? 1 : 2 });
}
