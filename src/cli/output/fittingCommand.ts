import { type AddHelpTextContext, type AddHelpTextPosition, Command, Help } from 'commander';

/** Of a terminal whose width is not known. */
const USUAL_WIDTH = 80;

/** With fewer columns, descriptions stand below names. */
const NARROW = 60;
const MOST_TERM_COLUMNS = 30;

/** Fits any terminal; what is too long for its column continues below. Commander gives up on wrapping beside a long option. */
class FittingHelp extends Help {
  override minWidthToWrap = 10;

  override padWidth(command: Command, helper: Help): number {
    const widest = this.#width() < NARROW ? 2 : MOST_TERM_COLUMNS;
    return Math.min(super.padWidth(command, helper), widest);
  }

  override formatItem(term: string, termWidth: number, description: string): string {
    const lines = this.#below(description, termWidth + 4);
    if (term.length <= termWidth) return `  ${term.padEnd(termWidth)}  ${lines.trimStart()}`.trimEnd();
    const name = `  ${this.#below(term, 4).trimStart()}`;
    return description === '' ? name : `${name}\n${lines}`;
  }

  override commandUsage(command: Command): string {
    return this.#below(super.commandUsage(command), 'Usage: '.length).trimStart();
  }

  #width(): number {
    return this.helpWidth ?? USUAL_WIDTH;
  }

  #below(text: string, indent: number): string {
    return indented(this.boxWrap(text, this.#width() - indent), indent);
  }
}

/** A command whose help fits the terminal, with its examples and notes; so do the commands that it creates. */
export class FittingCommand extends Command {
  override createCommand(name?: string): Command {
    return new FittingCommand(name);
  }

  override createHelp(): Help {
    return Object.assign(new FittingHelp(), this.configureHelp());
  }

  override addHelpText(position: AddHelpTextPosition, text: string | ((context: AddHelpTextContext) => string)): this {
    return super.addHelpText(position, (context) => {
      const { getErrHelpWidth, getOutHelpWidth } = this.configureOutput();
      const width = (context.error ? getErrHelpWidth : getOutHelpWidth)?.() ?? USUAL_WIDTH;
      return fittingText(typeof text === 'string' ? text : text(context), width);
    });
  }
}

/**
 * Paragraphs are filled anew, lists keep their lines, and a command line is never broken. Of an indented line, what stands
 * apart by several spaces belongs together.
 */
export function fittingText(text: string, width: number): string {
  const wrap = (line: string, indent: number) => indented(help.boxWrap(line, width - indent), indent);
  const paragraph: string[] = [];
  const ended = () => (paragraph.length === 0 ? [] : [wrap(paragraph.splice(0).join(' '), 0)]);
  const lines = text.split('\n').flatMap((line) => {
    if (/^\S/.test(line)) {
      paragraph.push(line);
      return line.endsWith(':') ? ended() : [];
    }
    return [...ended(), ...(line.length <= width ? [line] : fittingLine(line, { width, wrap }))];
  });
  return [...lines, ...ended()].join('\n');
}

const help = new FittingHelp();

const COMMAND_LINE = /^( *\$ .*?\S)(?: {2,}(\S.*))?$/;

interface Fitting {
  readonly width: number;
  readonly wrap: (line: string, indent: number) => string;
}

function fittingLine(line: string, { width, wrap }: Fitting): readonly string[] {
  const [, command, about] = COMMAND_LINE.exec(line) ?? [];
  if (command !== undefined) {
    if (about === undefined) return [command];
    const beside = `${command}  ${about}`;
    return beside.length <= width ? [beside] : [command, wrap(about, 6)];
  }
  const indent = line.search(/\S/);
  const cells = line.trim().split(/ {2,}/);
  const [name = '', meaning = ''] = cells;
  if (cells.length === 2 && !/^\d/.test(name)) {
    const column = line.indexOf(meaning, indent + name.length);
    if (width - column < LEAST_BESIDE) return [' '.repeat(indent) + name, wrap(meaning, 6)];
    return [line.slice(0, column) + wrap(meaning, column).trimStart()];
  }
  const rows: string[] = [];
  for (const cell of cells) {
    const last = rows.at(-1);
    if (last !== undefined && indent + last.length + GAP.length + cell.length <= width)
      rows.push(`${rows.pop()}${GAP}${cell}`);
    else rows.push(cell);
  }
  // what does not fit continues further in
  return rows.map(
    (row) => ' '.repeat(indent) + (indent + row.length <= width ? row : wrap(row, indent + 2).trimStart()),
  );
}

const GAP = '    ';
const LEAST_BESIDE = 40;

const indented = (text: string, indent: number): string => text.replaceAll(/^/gm, ' '.repeat(indent));
