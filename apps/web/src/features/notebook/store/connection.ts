import { RealtimeError } from '../../../platform/realtime/errors.ts';
import type { Subscription } from '../../../platform/realtime/realtime.ts';

export type NotebookTopic = Pick<Subscription<'notebook'>, 'send'>;

const readyMs = 10_000;
const noConnection = 'Not connected. Try again in a moment.';

/** The notebook's topic while there is one, and the callers that wait for it. */
export class Connection {
  topic: NotebookTopic | null = null;
  private readonly waiting = new Set<(topic: NotebookTopic) => void>();

  open(topic: NotebookTopic): void {
    this.topic = topic;
    for (const give of [...this.waiting]) give(topic);
  }

  /** Waits for the connection with the timeout of all requests, for requests right after opening. */
  ready = (): Promise<NotebookTopic> => {
    if (this.topic) return Promise.resolve(this.topic);
    return new Promise((resolve, reject) => {
      const give = (topic: NotebookTopic) => {
        clearTimeout(timer);
        this.waiting.delete(give);
        resolve(topic);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(give);
        reject(new RealtimeError(noConnection));
      }, readyMs);
      this.waiting.add(give);
    });
  };

  /** Throws without a connection; the caller handles that and every refusal. */
  must = (): NotebookTopic => {
    if (!this.topic) throw new RealtimeError(noConnection);
    return this.topic;
  };
}
