export interface ErrorReport {
  message: string;
  stack: string;
  path: string;
  breadcrumbs: string[];
}

/** By the specification. */
const mostBreadcrumbs = 100;
const mostWaiting = 30;
const idleMs = 1_000;
const latestMs = 30_000;
const heartbeatMs = 5_000;

/** Collects errors of the interface with what was done before, and sends them when it is quiet; what fails is sent again. */
export class ErrorReporter {
  readonly #send: (reports: ErrorReport[]) => Promise<unknown>;
  readonly #path: () => string;
  #breadcrumbs: string[] = [];
  #waiting: ErrorReport[] = [];
  #idle: ReturnType<typeof setTimeout> | undefined;
  #latest: ReturnType<typeof setTimeout> | undefined;
  #isSending = false;

  constructor(send: (reports: ErrorReport[]) => Promise<unknown>, path: () => string) {
    this.#send = send;
    this.#path = path;
  }

  leaveBreadcrumb(what: string): void {
    this.#breadcrumbs = [...this.#breadcrumbs, oneLine(what)].slice(-mostBreadcrumbs);
  }

  report(error: unknown): void {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    const report = {
      message: oneLine(message),
      stack: oneLine(stack),
      path: this.#path(),
      breadcrumbs: this.#breadcrumbs,
    };
    // The first ones say what began it.
    if (this.#waiting.length < mostWaiting) this.#waiting = [...this.#waiting, report];
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.flush(), idleMs);
    this.#latest ??= setTimeout(() => void this.flush(), latestMs);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#idle);
    clearTimeout(this.#latest);
    this.#latest = undefined;
    if (this.#isSending || this.#waiting.length === 0) return;
    const reports = this.#waiting;
    this.#waiting = [];
    this.#isSending = true;
    try {
      await this.#send(reports);
    } catch {
      this.#waiting = [...reports, ...this.#waiting].slice(0, mostWaiting);
    } finally {
      this.#isSending = false;
      if (this.#waiting.length > 0) this.#idle = setTimeout(() => void this.flush(), heartbeatMs);
    }
  }
}

const longest = 500;
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim().slice(0, longest);
