import { type Adaptation, describeAdaptation } from './adaptations.ts';

/** What this process has learned about one server. Every model that it asks there shares it. */
export class GatewayMemory {
  readonly #address: string;
  #adaptations: readonly Adaptation[] = [];
  readonly #said = new Set<string>();
  #unsaid: string[] = [];

  constructor(address: string) {
    this.#address = address;
  }

  /** How every request to this server is changed. */
  get adaptations(): readonly Adaptation[] {
    return this.#adaptations;
  }

  learn(learned: readonly Adaptation[]): void {
    const before = new Set(this.#adaptations.map((one) => JSON.stringify(one)));
    const added = learned.filter((one) => !before.has(JSON.stringify(one)));
    if (added.length === 0) return;
    this.#adaptations = [...this.#adaptations, ...added];
    this.#say(`The server at ${this.#address} does not take ${added.map(describeAdaptation).join('; nor ')}.`);
  }

  /** Each kind of thing is named once. */
  skipped(kinds: Iterable<string>): void {
    const fresh = [...new Set(kinds)].filter((kind) => !this.#said.has(kind));
    for (const kind of fresh) this.#said.add(kind);
    if (fresh.length > 0)
      this.#say(`The server at ${this.#address} sent what this version does not know and skips: ${fresh.join(', ')}.`);
  }

  #say(sentence: string): void {
    this.#unsaid.push(sentence);
  }

  /** Sentences that the person has not seen; kept until a caller can show them. */
  takeNotices(): readonly string[] {
    const notices = this.#unsaid;
    this.#unsaid = [];
    return notices;
  }
}

const known = new Map<string, GatewayMemory>();

/** The memory of the server at a base URL: one per process, since a second model there would meet the same refusals. */
export function gatewayMemory(baseURL: string): GatewayMemory {
  const before = known.get(baseURL);
  if (before) return before;
  const made = new GatewayMemory(addressOf(baseURL));
  known.set(baseURL, made);
  return made;
}

/** Without what could be a secret: user, password and query. */
function addressOf(baseURL: string): string {
  if (!URL.canParse(baseURL)) return baseURL;
  const { origin, pathname } = new URL(baseURL);
  return `${origin}${pathname.replace(/\/$/, '')}`;
}
