/** A tool as a model is told of it. */
export interface ToolDescription {
  name: string;
  description: string;
  /** JSON Schema of its input. */
  input: Record<string, unknown>;
}

export interface ModelCall {
  id: string;
  name: string;
  input: unknown;
  /** What the provider wants to be given back with it, word for word. */
  metadata?: Record<string, unknown> | undefined;
}

/** What was said so far, as models take it. */
export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: ModelCall[] }
  | { role: 'tool'; results: { id: string; name: string; text: string; isError: boolean }[] };

export interface ModelRequest {
  instructions: string;
  messages: ModelMessage[];
  tools: ToolDescription[];
  /** Tokens that the answer may have; without it, what the provider allows. */
  maxOutputTokens?: number | undefined;
}

export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  /** `problem`: its input is no JSON, or not what the tool takes. */
  | ({ type: 'call'; problem: string | null } & ModelCall)
  /** `isCut`: it was longer than the request allowed. */
  | { type: 'end'; inputTokens: number; outputTokens: number; isCut?: boolean };

/** A model of whatever provider. What it throws is a `ModelError`. */
export interface Model {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

export type ModelErrorCode =
  | 'no_key'
  | 'wrong_key'
  | 'model_not_found'
  | 'rate_limited'
  | 'context_too_long'
  | 'unavailable'
  | 'bad_answer';

const words: Record<ModelErrorCode, string> = {
  no_key: 'The provider wants an API key, and none is set.',
  wrong_key: 'The provider refused the API key.',
  model_not_found: 'The provider does not have this model (any more).',
  rate_limited: 'The provider has had too many requests. Try again later.',
  context_too_long: 'The conversation is longer than the model can read. Clear it, or choose a model with more room.',
  unavailable: 'The provider cannot be reached.',
  bad_answer: 'The provider answered with something that cannot be read.',
};

export class ModelError extends Error {
  readonly code: ModelErrorCode;
  readonly retryAfterMs: number | null;

  constructor(code: ModelErrorCode, detail = '', retryAfterMs: number | null = null) {
    super(detail ? `${words[code]} (${detail.slice(0, 300)})` : words[code]);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same request may succeed in a moment. */
  get isTransient(): boolean {
    return this.code === 'rate_limited' || this.code === 'unavailable' || this.code === 'bad_answer';
  }
}
