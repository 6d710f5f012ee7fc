import { redactSecrets } from '../../system/redactSecrets.ts';

/** Secrets that must not be stored, in addition to the keys of providers. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/,
  /\bgithub_pat_\w{20,}/,
  /\bglpat-[\w-]{16,}/,
  /\bxox[abprs]-[\w-]{10,}/,
  /\bnpm_[A-Za-z0-9]{30,}/,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\./,
  /:\/\/[^\s:/@]+:[^\s:/@]{3,}@/,
  /\b(?:password|passwd|passphrase|secret|token|api[_-]?key|credentials?)\b\s*(?:is|=|:|=>)\s*["'`]?[^\s"'`]{6,}/i,
];

export function looksSecret(text: string): boolean {
  return redactSecrets(text) !== text || SHAPES.some((shape) => shape.test(text));
}
