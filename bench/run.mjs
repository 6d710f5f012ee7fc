// One runner for all benches: npm run bench -- NAME [--quick] [--check] [--json FILE]
import { readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { printReport } from './lib/report.mjs';

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
};

const USAGE = `npm run bench -- NAME [--quick] [--check] [--json FILE]
  --quick      fewer rounds: to see that it runs, not to quote
  --check      exit code 1 when a goal is missed
  --json FILE  every sample of every round, too`;

async function main() {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const benches = await loadBenches();
  if (values.help || positionals.length === 0) return list(benches);
  const unknown = positionals.find((name) => !benches.has(name));
  if (unknown !== undefined)
    return misuse(`There is no bench named '${unknown}'; there are ${[...benches.keys()].join(', ')}.`);
  const reports = [];
  for (const name of positionals) {
    const report = { bench: name, machine: machine(), ...(await benches.get(name).run({ quick: values.quick })) };
    printReport(report);
    reports.push(report);
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify(reports, null, 2)}\n`);
  const missed = reports.flatMap(({ goals }) => goals).filter(({ met }) => !met);
  return values.check && missed.length > 0 ? 1 : 0;
}

/** Every file beside this one is a bench. */
async function loadBenches() {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.mjs') && file !== 'run.mjs');
  const modules = await Promise.all(files.toSorted().map((file) => import(path.join(import.meta.dirname, file))));
  return new Map(modules.map(({ bench }) => [bench.name, bench]));
}

function list(benches) {
  console.log(`${USAGE}\n`);
  for (const { name, about } of benches.values()) console.log(`  ${name.padEnd(10)} ${about}`);
  return 0;
}

function misuse(sentence) {
  console.error(sentence);
  return 2;
}

function machine() {
  const cpus = os.cpus();
  const load = os.loadavg()[0].toFixed(1);
  return `Node ${process.versions.node}, ${cpus.length} × ${cpus[0]?.model.trim()}, load ${load} at the start`;
}

process.exitCode = await main().catch((error) => misuse(`The bench broke off: ${error.message}`));
