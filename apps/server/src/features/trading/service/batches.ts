interface Waiting<Item, Result> {
  item: Item;
  /** By the clock of this process. */
  since: number;
  answer: PromiseWithResolvers<Result>;
}

/** While one is being written by the database, the next is checked here. */
const mostRunning = 2;
/** So many at once: longer ones hold their locks for longer and save nothing more. */
const mostAtOnce = 100;
/** What has waited for so long is not tried again: most likely the database is away, and its moment has passed. */
const tryAgainWithinMs = 5_000;

/**
 * Group commit: what comes while a batch is being done is done together after it, and nobody waits for company. `work`
 * answers for each; should it fail as a whole, each is tried by itself, so that one fails nobody else's.
 */
export class Batches<Item, Result> {
  readonly #work: (items: Item[]) => Promise<PromiseSettledResult<Result>[]>;
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;

  constructor(work: (items: Item[]) => Promise<PromiseSettledResult<Result>[]>) {
    this.#work = work;
  }

  readonly add = (item: Item): Promise<Result> => {
    const answer = Promise.withResolvers<Result>();
    this.#waiting.push({ item, since: performance.now(), answer });
    if (this.#running < mostRunning) void this.#run();
    return answer.promise;
  };

  async #run(): Promise<void> {
    this.#running++;
    while (this.#waiting.length > 0) {
      await this.#settle(this.#waiting.splice(0, mostAtOnce));
      // Who has just been answered may have more to ask.
      await new Promise(setImmediate);
    }
    this.#running--;
  }

  async #settle(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await this.#work(batch.map(({ item }) => item));
      for (const [index, { answer }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome?.status === 'fulfilled') answer.resolve(outcome.value);
        else answer.reject(outcome?.reason);
      }
    } catch (error) {
      for (const each of batch) {
        const isLate = performance.now() - each.since > tryAgainWithinMs;
        if (batch.length === 1 || isLate) each.answer.reject(error);
        else await this.#settle([each]);
      }
    }
  }
}
