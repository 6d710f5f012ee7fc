import { isObject, type JsonObject } from '../../schemas/jsonValue.ts';

/** How requests to one gateway are changed, because it refused them otherwise. */
export type Adaptation =
  /** System messages inside the conversation become reminders in user messages. */
  | { readonly type: 'systemAsUser' }
  /** Removes one value of the `anthropic-beta` header; without a name, the whole header. */
  | { readonly type: 'withoutBeta'; readonly beta?: string }
  | { readonly type: 'withoutField'; readonly field: string }
  /** For a model without vision: a line of text replaces each image. */
  | { readonly type: 'withoutImages' };

/** The parts of a request that a gateway can refuse. */
export interface PlainRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

export const BETA_HEADER = 'anthropic-beta';

/** Fields that a request cannot do without. */
const REQUIRED = new Set(
  `model messages message role content system max_tokens max_completion_tokens stream tools tool type text
  name id input input_schema function parameters contents parts source media_type data url image_url
  description tool_use_id tool_call_id tool_calls`.split(/\s+/),
);

/** Content of the model or of a tool, not of the protocol: nothing inside is ever removed. */
const OPAQUE = new Set(['input', 'input_schema', 'parameters', 'arguments', 'text', 'data']);

const OBJECTION =
  /extra|not (?:permitted|allowed|supported|recogni[sz]ed|expected|a valid|valid)|un(?:known|supported|expected|recogni[sz]ed)|additional propert|invalid|does(?: not|n't) (?:support|accept|allow)|no such|cannot|can only|must|should|only/i;
/** Matches complaints about a field that should not exist, not about a wrong value. */
const FIELD_OBJECTION =
  /extra[_ ](?:inputs?|fields?|forbidden|parameters?|keys?)|not (?:permitted|allowed|supported|recogni[sz]ed|expected)|un(?:known|supported|expected|recogni[sz]ed)|additional propert|does(?: not|n't) (?:support|accept|allow)|no such (?:field|parameter|property)/i;
const ABOUT_SYSTEM_ROLE =
  /\brole\b[\s\S]*\bsystem\b|\bsystem\b[\s\S]*\brole\b|\bsystem\b[\s\S]*\bmessages?\b|\bmessages?\b[\s\S]*\bsystem\b|messages?[.[]\d+\]?[.[]?'?role|'user'[\s\S]{0,12}'assistant'|"user"[\s\S]{0,12}"assistant"|\buser (?:and|or|\/) ?assistant\b|roles must alternate/i;
const ABOUT_BETA = /\bbetas?\b|anthropic-beta/i;
/** An error that names no cause. */
const NAMELESS =
  /^\W*(?:(?:http )?4\d\d\W*)?(?:bad request|invalid request|invalid_request_error|unprocessable(?: entity| content)?|validation error|request validation failed|malformed request|api_error|error|invalid)?\W*$/i;

/**
 * What to change after a gateway refused a request, read from its message; empty when nothing it names can be removed.
 * Names only what the request still contains, so retrying ends.
 */
export function decideAdaptations(objection: string, request: PlainRequest): readonly Adaptation[] {
  if (!OBJECTION.test(objection)) return [];
  const rules = [aboutBeta, aboutImages, aboutField, aboutSystem];
  return rules.map((rule) => rule(objection, request)).find((found) => found.length > 0) ?? [];
}

/** The plainest form of a request, for a gateway that refuses it without a reason. */
export function plainestForm(message: string, request: PlainRequest): readonly Adaptation[] {
  if (!NAMELESS.test(message)) return [];
  const system: readonly Adaptation[] = hasSystemMessages(request) ? [{ type: 'systemAsUser' }] : [];
  return betasOf(request).length > 0 ? [...system, { type: 'withoutBeta' }] : system;
}

const SYSTEM_BETA = /^mid-conversation-system/;

function aboutBeta(objection: string, request: PlainRequest): readonly Adaptation[] {
  const betas = betasOf(request);
  const named = betas.filter((beta) => objection.includes(beta));
  if (named.length > 0) return named.map(withoutBeta);
  if (betas.length === 0 || !ABOUT_BETA.test(objection)) return [];
  // which beta is unknown, and system messages need theirs
  const system: readonly Adaptation[] = betas.some((beta) => SYSTEM_BETA.test(beta)) ? [{ type: 'systemAsUser' }] : [];
  return [...system, { type: 'withoutBeta' }];
}

/** Without its beta, a feature must go too. */
function withoutBeta(beta: string): Adaptation {
  return SYSTEM_BETA.test(beta) ? { type: 'systemAsUser' } : { type: 'withoutBeta', beta };
}

/** Gateways name fields as words or paths: `stream_options`, `system.0.cache_control`, `tools[3].strict`. */
function aboutField(objection: string, { body }: PlainRequest): readonly Adaptation[] {
  if (!FIELD_OBJECTION.test(objection)) return [];
  const words = new Set(objection.match(/[A-Za-z_][A-Za-z0-9_]*/g));
  const named = [...fieldsIn(body)].filter((field) => words.has(field));
  return named.map((field) => ({ type: 'withoutField', field }));
}

function aboutSystem(objection: string, request: PlainRequest): readonly Adaptation[] {
  return hasSystemMessages(request) && ABOUT_SYSTEM_ROLE.test(objection) ? [{ type: 'systemAsUser' }] : [];
}

const ABOUT_IMAGES = /\bimages?\b|image_url|\bvision\b|multi-?modal/i;
const IMAGE_PARTS = new Set(['image', 'image_url', 'input_image']);

function aboutImages(objection: string, { body }: PlainRequest): readonly Adaptation[] {
  const objects =
    ABOUT_IMAGES.test(objection) && (FIELD_OBJECTION.test(objection) || /only text|no vision/i.test(objection));
  return objects && hasImages(body.messages) ? [{ type: 'withoutImages' }] : [];
}

function hasImages(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasImages);
  return isObject(value) && (IMAGE_PARTS.has(String(value.type)) || hasImages(value.content));
}

function withoutImages(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutImages);
  if (!isObject(value)) return value;
  if (IMAGE_PARTS.has(String(value.type))) return { type: 'text', text: '[an image, which this model cannot see]' };
  return 'content' in value ? { ...value, content: withoutImages(value.content) } : value;
}

function betasOf({ headers }: Pick<PlainRequest, 'headers'>): string[] {
  const value = headers[BETA_HEADER] ?? '';
  return value
    .split(',')
    .map((beta) => beta.trim())
    .filter(Boolean);
}

function messagesOf({ messages }: JsonObject): readonly JsonObject[] {
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}

const hasSystemMessages = ({ body }: PlainRequest) => messagesOf(body).some(({ role }) => role === 'system');

/** The names of the request's optional protocol fields. */
function fieldsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) fieldsIn(item, found);
  if (!isObject(value)) return found;
  for (const [name, inner] of Object.entries(value)) {
    if (!REQUIRED.has(name)) found.add(name);
    if (!OPAQUE.has(name)) fieldsIn(inner, found);
  }
  return found;
}

/** The request as this gateway accepts it. */
export function adapted(request: PlainRequest, adaptations: readonly Adaptation[]): PlainRequest {
  return adaptations.reduce((changed, adaptation) => kindOf(adaptation).apply(changed, adaptation), request);
}

/** The text after "The server at … does not accept". */
export const describeAdaptation = (adaptation: Adaptation): string => kindOf(adaptation).describe(adaptation);

interface AdaptationKind<One extends Adaptation> {
  apply(request: PlainRequest, adaptation: One): PlainRequest;
  describe(adaptation: One): string;
}

const kindOf = ({ type }: Adaptation) => KINDS[type] as AdaptationKind<Adaptation>;

const KINDS: { readonly [Type in Adaptation['type']]: AdaptationKind<Extract<Adaptation, { type: Type }>> } = {
  systemAsUser: {
    apply: ({ headers, body }) => ({
      headers: withBetas(headers, (beta) => !SYSTEM_BETA.test(beta)),
      body: { ...body, messages: withoutSystemMessages(messagesOf(body)) },
    }),
    describe: () => 'system messages inside the conversation (sent as user reminders instead)',
  },
  withoutBeta: {
    apply: ({ headers, body }, { beta }) => ({
      headers: withBetas(headers, (one) => beta !== undefined && one !== beta),
      body,
    }),
    describe: ({ beta = 'header' }) => `the beta ${beta} (left out)`,
  },
  withoutImages: {
    apply: ({ headers, body }) => ({ headers, body: { ...body, messages: withoutImages(body.messages) } }),
    describe: () => 'images (each replaced by a line of text)',
  },
  withoutField: {
    apply: ({ headers, body }, { field }) => ({ headers, body: withoutField(body, field) as JsonObject }),
    describe: ({ field }) =>
      `the field ${field} (left out${field === 'cache_control' ? ', so prompts are not cached' : ''})`,
  },
};

function withBetas(headers: PlainRequest['headers'], keeps: (beta: string) => boolean): PlainRequest['headers'] {
  const { [BETA_HEADER]: _, ...others } = headers;
  const kept = betasOf({ headers }).filter(keeps);
  return kept.length === 0 ? others : { ...others, [BETA_HEADER]: kept.join(',') };
}

/** Strict gateways also want alternating roles: a new user message is joined with the one before it. */
function withoutSystemMessages(messages: readonly JsonObject[]): JsonObject[] {
  const changed: JsonObject[] = [];
  for (const message of messages) {
    const plain = message.role === 'system' ? asReminder(message) : message;
    const last = changed.at(-1);
    if (last?.role !== 'user' || plain.role !== 'user') changed.push(plain);
    else changed[changed.length - 1] = { ...last, content: [...partsOf(last), ...partsOf(plain)] };
  }
  return changed;
}

function asReminder(message: JsonObject): JsonObject {
  const content = partsOf(message).map((part) =>
    typeof part.text === 'string' ? { ...part, text: `<system-reminder>\n${part.text}\n</system-reminder>` } : part,
  );
  return { role: 'user', content };
}

function partsOf({ content }: JsonObject): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function withoutField(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutField(item, field));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== field)
      .map(([name, inner]) => [name, OPAQUE.has(name) ? inner : withoutField(inner, field)]),
  );
}
