import type { ExecuteResult, Fields, KernelEnd } from './port.ts';

const empty = { executionCount: null, error: null, userExpressions: {}, end: null };

/** In the units of plans and limits: 2 GB are 2 × 1024³ bytes. */
export function sizeText(bytes: number): string {
  const unit = bytes >= 1024 ** 3 ? 'GB' : 'MB';
  const amount = bytes / (unit === 'GB' ? 1024 ** 3 : 1024 ** 2);
  return `${Number(amount.toFixed(1))} ${unit}`;
}

export const ending = (reason: KernelEnd['reason'], message: string): KernelEnd => ({
  reason,
  message,
  exitCode: null,
  signal: null,
});

export const stopped = ending('stopped', 'The kernel was stopped.');
export const restarted = ending('restarted', 'The kernel was restarted.');

export const failedToStart = (why: string): KernelEnd => ending('failed_to_start', `The kernel did not start: ${why}`);

export const endedResult = (end: KernelEnd): ExecuteResult => ({ ...empty, status: 'ended', end });

export const abortedResult: ExecuteResult = { ...empty, status: 'aborted' };

/** The result in an execute_reply, which users' code may have forged. */
export function resultOf(reply: Fields): ExecuteResult {
  const count = reply.execution_count;
  const base = { ...empty, executionCount: typeof count === 'number' ? count : null };
  if (reply.status === 'ok') {
    return { ...base, status: 'ok', userExpressions: isFields(reply.user_expressions) ? reply.user_expressions : {} };
  }
  if (reply.status !== 'error') return { ...base, status: 'aborted' };
  const traceback = Array.isArray(reply.traceback) ? reply.traceback.map(String) : [];
  return { ...base, status: 'error', error: { name: String(reply.ename), value: String(reply.evalue), traceback } };
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
