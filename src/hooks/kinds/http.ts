import type { LookupFunction } from 'node:net';
import { type HttpHook, HttpHookSchema } from '../../schemas/hooks.ts';
import { valueAt } from '../../schemas/jsonValue.ts';
import type { HttpRequest } from '../../system/http/sendRequest.ts';
import { defineKind, type FiredEvent, type HookContext, type HookKind, type KindFacts } from '../kind.ts';
import { failed, type HookOutcome } from '../outcome.ts';
import { readAnswer, readOutput } from '../readAnswer.ts';
import { bounded, unfinished } from './bounded.ts';
import {
  addressClass,
  guardedLookup,
  type HttpResponse,
  keepAliveRequests,
  literalAddress,
  refusal,
} from './httpRequest.ts';
import { fillTemplate, fillValue, insideJsonString } from './template.ts';
import { urlMatches } from './urlMatches.ts';

export const httpFacts: KindFacts<HttpHook> = {
  type: 'http',
  schema: HttpHookSchema,
  fields: Object.keys(HttpHookSchema.shape),
  label: ({ url }) => url,
};

/** What settings and the environment allow http hooks to reach and to send. */
export interface HttpPolicy {
  /** Patterns with `*`; absent: every URL, empty: none. */
  readonly allowedUrls?: readonly string[];
  /** Absent: whatever a hook lists. */
  readonly allowedEnvVars?: readonly string[];
  readonly allowPrivateAddresses?: boolean;
  /** Resolves names; the system's by default. */
  readonly lookup?: LookupFunction;
}

/** Hooks that are an HTTP request: the event as its body, the answer as JSON. A status can never block. */
export function httpHook(policy: HttpPolicy = {}): HookKind {
  const lookup = policy.allowPrivateAddresses ? policy.lookup : guardedLookup(policy.lookup);
  const send = keepAliveRequests(lookup);
  const reported = new Set<string>();
  return defineKind<HttpHook>({
    ...httpFacts,
    async run(settings, event, context) {
      const run = { event, context, policy };
      const refused = whyRefused(settings.url, policy) ?? whyNoBody(settings, run);
      if (refused !== null) return failed('execution', refused);
      const end = await bounded(context, (signal) => send({ ...requestFor(settings, run), signal }));
      if (end.type !== 'done') return unfinished(end, context.timeoutMs);
      const note = once(emptyHeaders(settings, run), reported);
      return withNote(outcomeOf(end.value, end.durationMs, event), note);
    },
  });
}

/** Measured: only names in capitals are variables. */
const VARIABLE = /\$(?:\{([A-Z_][A-Z0-9_]*)\}|([A-Z_][A-Z0-9_]*))/g;

/** Measured: a header with a variable that is not allowed is sent without it. The note explains the server's refusal. */
function emptyHeaders(settings: HttpHook, run: HttpRun): string | undefined {
  const allowed = allowedVariables(settings, run);
  const found = Object.entries(settings.headers ?? {}).flatMap(([header, value]) =>
    [...value.matchAll(VARIABLE)]
      .map(([, braced, bare]) => braced ?? bare ?? '')
      .filter((name) => !allowed.get(name))
      .map((name) => `$${name} in the header ${header} (${allowed.has(name) ? 'not set' : 'not in allowedEnvVars'})`),
  );
  return found.length === 0 ? undefined : `${settings.url}: sent without ${found.join(', ')}`;
}

/** A body template is our own feature, so one that lacks a variable is not sent at all. */
function whyNoBody({ body, ...settings }: HttpHook, run: HttpRun): string | null {
  if (body === undefined) return null;
  const allowed = allowedVariables(settings, run);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const names = [...text.matchAll(/\$\{([A-Z_][A-Z0-9_]*)\}/g)].map(([, name = '']) => name);
  const missing = names.find((name) => !allowed.get(name) && valueAt(run.event.input, name.split('.')) === undefined);
  if (missing === undefined) return null;
  const why = allowed.has(missing)
    ? 'is not set'
    : 'is not in allowedEnvVars of the hook, or not in those of the settings';
  return `nothing was sent: \${${missing}} in the body ${why}`;
}

/** Reports each sentence once, not at every tool call. */
function once(sentence: string | undefined, reported: Set<string>): string | undefined {
  if (sentence === undefined || reported.has(sentence)) return undefined;
  reported.add(sentence);
  return sentence;
}

function withNote(outcome: HookOutcome, note: string | undefined): HookOutcome {
  if (note === undefined) return outcome;
  if (outcome.type === 'failed') return { ...outcome, message: `${outcome.message} (${note})` };
  if (outcome.type !== 'said') return outcome;
  const { systemMessage } = outcome.reply;
  return { ...outcome, reply: { ...outcome.reply, systemMessage: systemMessage ? `${systemMessage}\n${note}` : note } };
}

function whyRefused(url: string, policy: HttpPolicy): string | null {
  if (policy.allowedUrls && !policy.allowedUrls.some((pattern) => urlMatches(url, pattern))) {
    return `${url} is not in allowedHttpHookUrls`;
  }
  const { hostname } = new URL(url);
  const address = literalAddress(hostname);
  if (address === undefined || policy.allowPrivateAddresses || addressClass(address) !== 'private') return null;
  return refusal(address, address);
}

interface HttpRun {
  readonly event: FiredEvent;
  readonly context: HookContext;
  readonly policy: HttpPolicy;
}

function requestFor(settings: HttpHook, run: HttpRun): Omit<HttpRequest, 'signal'> {
  const method = settings.method ?? 'POST';
  const allowed = allowedVariables(settings, run);
  const headers = Object.entries(settings.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    headerValue(value, allowed),
  ]);
  const filled: Record<string, string> = { 'content-type': 'application/json', ...Object.fromEntries(headers) };
  const url = new URL(settings.url);
  if (method === 'GET') return { url, method, headers: filled };
  return { url, method, headers: filled, body: bodyFor(settings.body, allowed, run) };
}

type Variables = ReadonlyMap<string, string>;

function allowedVariables(
  { allowedEnvVars = [] }: Pick<HttpHook, 'allowedEnvVars'>,
  { context, policy }: HttpRun,
): Variables {
  const names = allowedEnvVars.filter((name) => policy.allowedEnvVars?.includes(name) ?? true);
  const lookUp = (name: string) => (Object.hasOwn(context.env, name) ? context.env[name] : context.secret(name)) ?? '';
  return new Map(names.map((name) => [name, lookUp(name)]));
}

/** Measured: a variable that is not listed becomes empty. A value with a line break could add headers of its own. */
function headerValue(value: string, allowed: Variables): string {
  return value.replaceAll(VARIABLE, (_, braced, bare) => allowed.get(braced ?? bare) ?? '').replaceAll(/[\r\n\0]/g, '');
}

function bodyFor(template: HttpHook['body'], allowed: Variables, { event, context }: HttpRun): string {
  if (template === undefined) return event.json;
  const lookUp = (path: string): unknown => {
    if (allowed.has(path)) return allowed.get(path);
    const found = valueAt(event.input, path.split('.'));
    if (found !== undefined) return found;
    return path === 'tool_result' ? (event.input.tool_response ?? context.lastText('tool_result')) : undefined;
  };
  if (typeof template !== 'string') return JSON.stringify(fillValue(template, lookUp));
  const isJson = /^\s*[[{]/.test(template);
  return fillTemplate(template, lookUp, isJson ? insideJsonString : undefined);
}

function outcomeOf(response: HttpResponse, durationMs: number, event: FiredEvent): HookOutcome {
  const printed = { stdout: response.body, stderr: '', durationMs };
  const { status } = response;
  if (status >= 300 && status < 400) {
    const target = response.location ?? 'nowhere';
    return failed('answer', `it answered ${status}, a redirect to ${target}, which is not followed`, printed);
  }
  if (status < 200 || status >= 300) return failed('answer', `it answered HTTP ${status}`, printed);
  if (readOutput(response.body, event.row).type === 'plain') {
    return failed('answer', `it answered HTTP ${status} with text that is not a JSON object`, printed);
  }
  return readAnswer(printed, event.row);
}
