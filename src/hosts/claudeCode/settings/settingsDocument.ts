import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { ownValue } from '../../../system/ownValue.ts';

/** A comment or a piece of JSON; blanks between are told from the offsets. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly type: 'lineComment' | 'blockComment' | 'comma' | 'other';
}

/** A settings file as text with its structure. Offsets count from after the BOM. */
export interface SettingsDocument {
  readonly text: string;
  readonly root: Node;
  readonly tokens: readonly Token[];
  readonly eol: '\n' | '\r\n';
}

export interface BrokenSettings {
  readonly type: 'broken';
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type ReadDocument = { readonly type: 'read'; readonly document: SettingsDocument } | BrokenSettings;

/** Reads JSON with comments and trailing commas: what people have, whether or not the agent likes it. */
export function readDocument(text: string): ReadDocument {
  const errors: ParseError[] = [];
  const root = parsed(text, errors);
  if (root === 'tooDeep') return brokenAt(text, 0, 'it is nested too deeply');
  const [error] = errors;
  if (error)
    return brokenAt(text, error.offset, ownValue(WORDS, printParseErrorCode(error.error)) ?? 'it is not valid JSON');
  if (root?.type !== 'object') return brokenAt(text, root?.offset ?? 0, 'settings must be an object in braces');
  const eol = /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
  return { type: 'read', document: { text, root, tokens: tokensOf(text), eol } };
}

function parsed(text: string, errors: ParseError[]): Node | undefined | 'tooDeep' {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    // the parser calls itself for every level
    if (error instanceof RangeError) return 'tooDeep';
    throw error;
  }
}

export function brokenAt(text: string, offset: number, message: string): BrokenSettings {
  const before = text.slice(0, offset);
  return {
    type: 'broken',
    line: before.split('\n').length,
    column: offset - before.lastIndexOf('\n'),
    message,
  };
}

function tokensOf(text: string): readonly Token[] {
  const scanner = createScanner(text, false);
  const tokens: Token[] = [];
  for (scanner.scan(); scanner.getPosition() <= text.length; scanner.scan()) {
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    if (end === start) break;
    const words = text.slice(start, end);
    if (words.trim() !== '') tokens.push({ start, end, type: typeOf(words) });
  }
  return tokens;
}

function typeOf(words: string): Token['type'] {
  if (words.startsWith('//')) return 'lineComment';
  if (words.startsWith('/*')) return 'blockComment';
  return words === ',' ? 'comma' : 'other';
}

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'there is a word that is neither true, false nor null; strings need double quotes',
  InvalidNumberFormat: 'there is a number that is not one',
  PropertyNameExpected: 'a key in double quotes should be here',
  ValueExpected: 'a value should be here',
  ColonExpected: 'a colon should be here',
  CommaExpected: 'a comma should be here',
  CloseBraceExpected: 'a closing `}` should be here',
  CloseBracketExpected: 'a closing `]` should be here',
  EndOfFileExpected: 'there is more after the end of the JSON value',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed',
  InvalidUnicode: 'there is a wrong \\u escape',
  InvalidEscapeCharacter: 'there is a wrong escape in a string',
  InvalidCharacter: 'there is a character that may not be here',
};
