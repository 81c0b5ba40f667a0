import type { Turn } from './conversation.ts';

/** Thresholds at which a model that goes in circles is told so, and stopped. */
const warnAt = 3;
const stopAt = 5;
const alternations = 6;

interface Made {
  signature: string;
  /** What came of it; a call that answers something new each time is no circle. */
  result: string;
  isError: boolean;
}

/** The same for the same arguments, whatever their order. */
export function signatureOf(name: string, input: unknown): string {
  return `${name} ${JSON.stringify(sorted(input))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

const callsOf = ({ rounds }: Turn): Made[] =>
  rounds.flatMap(({ calls }) =>
    calls.flatMap(({ name, input, completed }) =>
      completed
        ? [{ signature: signatureOf(name, input), result: completed.result, isError: completed.outcome === 'error' }]
        : [],
    ),
  );

/** How many of the newest are alike. */
function runOf(made: Made[], isAlike: (one: Made, other: Made) => boolean): number {
  const last = made.at(-1);
  if (!last) return 0;
  let count = 0;
  for (let index = made.length - 1; index >= 0; index--) {
    const each = made[index];
    if (!each || !isAlike(each, last)) break;
    count++;
  }
  return count;
}

export type Circle = { kind: 'none' } | { kind: 'warn' | 'stop'; message: string };

/** Whether a turn goes in circles: the same call again and again, two in turn, or one error after another. */
export function circleOf(turn: Turn): Circle {
  const made = callsOf(turn);
  const same = runOf(made, (one, other) => one.signature === other.signature && one.result === other.result);
  const errors = runOf(made, (one, other) => one.isError && other.isError && one.result === other.result);
  const count = Math.max(same, errors);
  const what = same >= errors ? 'The same call was made' : 'The same error came';
  if (count >= stopAt) return { kind: 'stop', message: `${what} ${count} times in a row.` };
  const last = made.slice(-alternations).map(({ signature }) => signature);
  const isAlternating =
    last.length === alternations &&
    last[0] !== last[1] &&
    last.every((signature, index) => signature === last[index % 2]);
  if (isAlternating) return { kind: 'stop', message: 'Two calls were made in turn, again and again.' };
  if (count === warnAt)
    return { kind: 'warn', message: `${what} ${count} times in a row. Try something else, or stop.` };
  return { kind: 'none' };
}
