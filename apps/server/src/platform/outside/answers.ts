/** The meaning of a foreign server's answer for the message that was sent to it. */
import { type Answer, NoAnswer, PrivateAddress } from './post.ts';

/** The target did not accept the message. */
export class TargetProblem extends Error {
  /** Milliseconds before a retry, where the target names them. */
  readonly retry: 'never' | 'soon' | number;
  constructor(message: string, retry: 'never' | 'soon' | number) {
    super(message);
    this.retry = retry;
  }
}

/** The target may have accepted the message, which must not arrive twice. */
export class Unconfirmed extends Error {}

const longestWaitMs = 6 * 3_600_000;

export async function answerOf(answering: Promise<Answer>, who: string): Promise<Answer> {
  let answer: Answer;
  try {
    answer = await answering;
  } catch (error) {
    if (error instanceof PrivateAddress) throw new TargetProblem(error.message, 'never');
    if (!(error instanceof NoAnswer)) throw error;
    if (error.isSent) throw new Unconfirmed(`${who} did not say whether it took it.`);
    throw new TargetProblem(`${who} could not be reached. ${error.message}`, 'soon');
  }
  const { status } = answer;
  if (status === 429) throw new TargetProblem(`${who} is taking no more messages for now.`, waitOf(answer));
  if (status >= 500) throw new TargetProblem(`${who} answered with an error (${status}).`, 'soon');
  if (status >= 300 && status < 400) throw new TargetProblem(`${who} leads to another address.`, 'never');
  if (status >= 400) {
    const { error, description } = parsedAnswer(answer);
    throw new TargetProblem(`${who} refused it: ${String(description ?? error ?? status)}.`, 'never');
  }
  return answer;
}

/** Telegram names the wait in the body, other targets in a header. */
function waitOf(answer: Answer): number | 'soon' {
  const { parameters } = parsedAnswer(answer) as { parameters?: { retry_after?: unknown } };
  const seconds = Number(parameters?.retry_after ?? answer.headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, longestWaitMs) : 'soon';
}

export function parsedAnswer({ text }: Answer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
