/** Runs work on the same key one after the other; `isBusy` while work on it is in progress. */
export class InTurn {
  readonly #last = new WeakMap<object, Promise<void>>();

  isBusy = (of: object): boolean => this.#last.has(of);

  run<Result>(of: object, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#last.get(of) ?? Promise.resolve()).then(work);
    const done: Promise<void> = result
      .then(
        () => {},
        () => {},
      )
      .then(() => {
        if (this.#last.get(of) === done) this.#last.delete(of);
      });
    this.#last.set(of, done);
    return result;
  }
}
