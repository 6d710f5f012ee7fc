/** How a prompt begins that asks for a text. */
const ASKS_FOR_TEXT =
  /^(?:please\s+|now\s+|briefly\s+|in\s+(?:one|two|three|a few|\d+)\s+(?:short\s+)?(?:words?|sentences?|lines?|bullets?|bullet points?),?\s+)*(?:summari[sz]e|sum up|recap|describe|outline|list|note|draft|write|compose|produce|explain|translate|name|report\s+(?:what|on|the)|tell\s+(?:me|us|the\s+user)\s+(?:what|which|how)|(?:give|provide|prepare)\s+(?:me\s+|us\s+)?(?:a|an|the)\s+(?:\w+\s+){0,3}?(?:summary|recap|overview|list|note|report|description|changelog))\b/i;

/** Words of a prompt that wants a verdict, wherever they stand. */
const ASKS_FOR_VERDICT =
  /[?{}]|\b(?:ok|whether|verify|ensure|make sure|check(?:s|ed)?\s+(?:that|if|whether)|block|blocked|allow|deny|approve|reject|fail|must|should|only if|unless|if\s+(?:not|any|there|the|it)|condition|verdict|true|false|json)\b/i;

/**
 * Whether a hook's prompt asks for a text and not for a judgment. Cautious: a condition that is taken for a text would never hold
 * an agent, so one word of a judgment is enough to be one.
 */
export function asksForText(prompt: string): boolean {
  const own = prompt.replaceAll(/\\?\$ARGUMENTS\b/g, ' ').trim();
  return ASKS_FOR_TEXT.test(own) && !ASKS_FOR_VERDICT.test(own);
}
