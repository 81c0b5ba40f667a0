import { type Model, ModelError, type ModelMessage, type ModelPart, type ModelRequest } from '@atoll/agent';
import type { AiProviderKind } from '@atoll/contract';
import type { LanguageModel } from 'ai';

export interface ModelAddress {
  kind: AiProviderKind;
  baseUrl: string | null;
  apiKey: string | null;
  model: string;
  /** How the provider is reached. */
  fetch: typeof fetch;
}

// It would write past the log.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** A model of a provider, through the AI SDK, which is read only when the first is asked. */
export function sdkModel(address: ModelAddress): Model {
  return {
    stream: async function* (request, signal) {
      const [{ streamText, jsonSchema, tool }, model] = await Promise.all([import('ai'), languageModel(address)]);
      const tools = Object.fromEntries(
        request.tools.map(({ name, description, input }) => [
          name,
          tool({ description, inputSchema: jsonSchema(input) }),
        ]),
      );
      const result = streamText({
        model,
        instructions: request.instructions,
        messages: request.messages.flatMap(toSdk),
        tools,
        ...(request.maxOutputTokens && { maxOutputTokens: request.maxOutputTokens }),
        abortSignal: signal,
        maxRetries: 0,
        // The error is a part of the stream and told from there.
        onError() {},
        // Providers that keep what they are sent unless told not to.
        providerOptions: { openai: { store: false } },
      });
      try {
        for await (const part of result.stream) {
          if (part.type === 'error') throw part.error;
          if (part.type === 'abort') return;
          const told = toPart(part as SdkPart, address.kind);
          if (told) yield told;
        }
      } catch (error) {
        signal.throwIfAborted();
        throw errorOf(error);
      }
    },
  };
}

async function languageModel({ kind, baseUrl, apiKey, model, fetch }: ModelAddress): Promise<LanguageModel> {
  const options = { fetch, ...(baseUrl ? { baseURL: baseUrl } : {}), ...(apiKey ? { apiKey } : {}) };
  if (kind !== 'openai_compatible' && !apiKey) throw new ModelError('no_key');
  switch (kind) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(options)(model);
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(options)(model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(options)(model);
    case 'openai_compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({ ...options, name: 'server', baseURL: baseUrl ?? '', includeUsage: true })(model);
    }
  }
}

interface SdkPart {
  type: string;
  text?: string;
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  invalid?: boolean;
  error?: unknown;
  finishReason?: string;
  usage?: { inputTokens?: number; outputTokens?: number };
  providerMetadata?: Record<string, unknown>;
}

function toPart(part: SdkPart, kind: AiProviderKind): ModelPart | null {
  const { type, text = '', toolCallId = '', toolName = '', input, invalid, error, providerMetadata } = part;
  if (type === 'text-delta') return text ? { type: 'text', text } : null;
  if (type === 'reasoning-delta') return text ? { type: 'thinking', text } : null;
  if (type === 'tool-call') {
    const problem = invalid
      ? `The input cannot be read: ${error instanceof Error ? error.message : String(error)}`
      : null;
    // Newer models of Google refuse a call that comes back without its signature.
    const metadata = kind === 'google' ? providerMetadata : undefined;
    const call = { id: toolCallId, name: toolName, input, metadata };
    return { type: 'call', ...call, problem: problem?.slice(0, 1_000) ?? null };
  }
  if (type === 'finish-step') {
    const { inputTokens = 0, outputTokens = 0 } = part.usage ?? {};
    return { type: 'end', inputTokens, outputTokens, ...(part.finishReason === 'length' && { isCut: true }) };
  }
  return null;
}

type SdkMessage = import('ai').ModelMessage;
type ProviderOptions = NonNullable<SdkMessage['providerOptions']>;

function toSdk(message: ModelMessage): SdkMessage[] {
  if (message.role === 'user') return [{ role: 'user', content: message.text }];
  if (message.role === 'tool') {
    const content = message.results.map(({ id, name, text, isError }) => ({
      ...{ type: 'tool-result' as const, toolCallId: id, toolName: name },
      output: { type: isError ? ('error-text' as const) : ('text' as const), value: text },
    }));
    return [{ role: 'tool', content }];
  }
  const calls = message.calls.map(({ id, name, input, metadata }) => ({
    ...{ type: 'tool-call' as const, toolCallId: id, toolName: name },
    // Of a call that could not be read there is only its text.
    input: typeof input === 'object' && input !== null ? input : {},
    ...(metadata && { providerOptions: metadata as ProviderOptions }),
  }));
  const said = message.text ? [{ type: 'text' as const, text: message.text }] : [];
  return said.length + calls.length === 0 ? [] : [{ role: 'assistant', content: [...said, ...calls] }];
}

/** What a provider's refusal means for the person who asked. */
function errorOf(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const { statusCode, message, responseHeaders, responseBody, name } = (error ?? {}) as {
    statusCode?: number;
    message?: string;
    responseHeaders?: Record<string, string>;
    responseBody?: string;
    name?: string;
  };
  const detail = message ?? '';
  const after = retryAfter(responseHeaders?.['retry-after']);
  if (name === 'AI_LoadAPIKeyError') return new ModelError('no_key');
  // Google says so with a 400.
  const isKeyInvalid = responseBody?.includes('API_KEY_INVALID');
  if (statusCode === 401 || statusCode === 403 || isKeyInvalid) return new ModelError('wrong_key', detail);
  if (statusCode === 404) return new ModelError('model_not_found', detail);
  if (statusCode === 429) return new ModelError('rate_limited', detail, after);
  if (
    statusCode === 413 ||
    /context.{0,20}(length|window)|too long|maximum.{0,20}tokens/i.test(`${detail} ${responseBody ?? ''}`)
  )
    return new ModelError('context_too_long', detail);
  if (statusCode !== undefined && statusCode < 500) return new ModelError('bad_answer', detail);
  return new ModelError('unavailable', detail, after);
}

function retryAfter(value: string | undefined): number | null {
  if (!value) return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

/** The same model, which is never told what this hides. */
export const maskedModel = (model: Model, mask: (text: string) => string): Model => ({
  stream: (request, signal) => model.stream(maskedRequest(request, mask), signal),
});

export const maskedRequest = (request: ModelRequest, mask: (text: string) => string): ModelRequest => ({
  ...request,
  instructions: mask(request.instructions),
  messages: request.messages.map((message) => {
    if (message.role === 'tool')
      return { ...message, results: message.results.map((result) => ({ ...result, text: mask(result.text) })) };
    const text = mask(message.text);
    if (message.role === 'user') return { ...message, text };
    const calls = message.calls.map((call) => ({ ...call, input: JSON.parse(mask(JSON.stringify(call.input ?? {}))) }));
    return { ...message, text, calls };
  }),
});
