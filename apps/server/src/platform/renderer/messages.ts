import type { RenderFormat } from '@atoll/contract';

/** A page of this server as a document. */
export interface RenderJob {
  /** Below the address of the product. */
  path: string;
  /** XHTML contains the page's content, with pictures in place of its frames. */
  format: RenderFormat | 'xhtml';
  /** Of the window, in CSS pixels. */
  width: number;
  height: number;
  mostPages: number;
}

/** The parts that a page shows, as the page itself reports them. */
export interface PageParts {
  isReady: boolean;
  expected: string[];
  drawn: string[];
  empty: string[];
  failed: FailedPart[];
  /** The one that takes most room. */
  tallest: string | null;
}

export interface FailedPart {
  cellId: string;
  reason: string;
}

export interface Rendered {
  body: Buffer;
  pages: number;
  failedParts: FailedPart[];
}

/** The answer of this server to a request of the page. */
export interface PageAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export interface WorkerSetup {
  origin: string;
  browser: string;
  hasOwnSandbox: boolean;
}

export type ToWorker =
  | { type: 'setup'; setup: WorkerSetup }
  | { type: 'render'; id: number; job: RenderJob; msLeft: number }
  | { type: 'answer'; id: number; answer: PageAnswer };

export type FromWorker =
  | { type: 'ask'; id: number; path: string }
  | { type: 'progress'; id: number; parts: PageParts }
  | { type: 'done'; id: number; rendered: Rendered }
  | { type: 'failed'; id: number; reason: string; isTransient: boolean; cellIds: string[] };
