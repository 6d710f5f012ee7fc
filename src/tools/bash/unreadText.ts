const LIMIT = 200_000;

/** The newest unread characters, and the number of older ones that no longer fit. */
export class UnreadText {
  #chunks: string[] = [];
  #length = 0;
  #lost = 0;

  push(chunk: string): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    // cut at twice the limit: cutting at every chunk would copy everything each time
    if (this.#length > 2 * LIMIT || this.#chunks.length > 10_000) this.#cut();
  }

  take(): { readonly text: string; readonly lost: number } {
    this.#cut();
    const taken = { text: this.#chunks.join(''), lost: this.#lost };
    this.#chunks = [];
    this.#length = 0;
    this.#lost = 0;
    return taken;
  }

  #cut(): void {
    const text = this.#chunks.join('');
    const kept = text.slice(Math.max(0, text.length - LIMIT));
    this.#lost += text.length - kept.length;
    this.#chunks = [kept];
    this.#length = kept.length;
  }
}
