// Plays the scenarios of the terminal session in tmux, with Stopgate and with the real Claude Code, and writes the screens into
// docs/terminal.md. `--check` plays Stopgate's side only and compares it with the file.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PEERS } from '../bench/lib/peers.mjs';
import { findClaudeCode } from '../tests/support/claudeCode.ts';
import { describeScreens, MARK, screensIn, whyNotTrue } from './terminal/document.mjs';
import { playAll } from './terminal/play.mjs';
import { claudeCode, stopgate } from './terminal/programs.mjs';
import { SECTIONS } from './terminal/sections.mjs';
import { tmuxVersion } from './terminal/tmux.mjs';

const ROOT = path.join(import.meta.dirname, '..');
const DOCUMENT = path.join(ROOT, 'docs/terminal.md');

process.exitCode = await main(process.argv.slice(2)).catch((error) => failed(error.message));

async function main(args) {
  const [option] = args;
  if (args.length > 1 || (option !== undefined && option !== '--check')) {
    return failed('Usage: node scripts/terminal-screens.mjs [--check]');
  }
  const tmux = tmuxVersion();
  if (tmux === null) return failed('tmux was not found: install it (apt-get install tmux) and run this again.');
  return option === '--check' ? check() : write(tmux);
}

async function check() {
  const recorded = screensIn(readFileSync(DOCUMENT, 'utf8'));
  const ours = await playAll(stopgate);
  const changed = Object.keys(SECTIONS).filter((name) => recorded[name]?.stopgate !== ours[name]);
  for (const name of changed) {
    console.error(`── ${SECTIONS[name].title}: docs/terminal.md has\n${recorded[name]?.stopgate ?? '(nothing)'}`);
    console.error(`── and the screen is\n${ours[name]}\n`);
  }
  if (changed.length === 0) return 0;
  return failed(
    `${changed.length} screens of docs/terminal.md are out of date: run node scripts/terminal-screens.mjs.`,
  );
}

async function write(tmux) {
  const claude = await findClaudeCode();
  if (claude.type === 'missing')
    return failed(`Without Claude Code there is nothing to compare with: ${claude.reason}`);
  const screens = { stopgate: await playAll(stopgate), claudeCode: await playAll(claudeCode(claude.program)) };
  const problems = whyNotTrue(screens);
  if (problems.length > 0) return failed(problems.join('\n'));
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const versions = `Stopgate ${version} and Claude Code ${PEERS.claudeCode.version} in ${tmux}`;
  const [guide] = readFileSync(DOCUMENT, 'utf8').split(MARK);
  writeFileSync(DOCUMENT, `${guide}${describeScreens(screens, versions)}`);
  return 0;
}

function failed(sentence) {
  console.error(sentence);
  return 1;
}
