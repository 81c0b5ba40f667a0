/**
 * Scripted answers, for tests and for trying the product without a model. Lines of the person's message that begin with `>`
 * are the script; `> then` begins the next round, after the tools of this one have answered.
 *
 *   > say TEXT                 text, in words
 *   > think TEXT               thinking, before the text
 *   > call NAME {JSON}         a call of a tool
 *   > malformed NAME TEXT      a call whose arguments are this text
 *   > slow MILLISECONDS        between two pieces
 *   > drop                     the connection ends here
 *   > fail STATUS [TIMES] [retry-after SECONDS]    the first TIMES requests of this round are refused (once unless said)
 *   > again                    this round once more, without end
 */
export interface Round {
  steps: Step[];
  fail: { status: number; times: number; retryAfter: number | null } | null;
  isEndless: boolean;
  /** The request allowed no longer answer. */
  isCut?: boolean;
  delay: number;
}

type Step = { does: 'say' | 'think'; text: string } | { does: 'call'; name: string; input: string } | { does: 'drop' };

const emptyRound = (): Round => ({ steps: [], fail: null, isEndless: false, delay: 0 });

/** Null where there is no script in it. */
export function scriptIn(message: string): Round[] | null {
  const lines = message.split('\n').flatMap((line) => /^\s*>\s?(.+)$/.exec(line)?.[1]?.trim() ?? []);
  if (lines.length === 0) return null;
  const rounds = [emptyRound()];
  for (const line of lines) {
    const round = rounds.at(-1) ?? emptyRound();
    const [word = '', ...rest] = line.split(' ');
    const text = rest.join(' ').replaceAll('\\n', '\n');
    if (word === 'then') rounds.push(emptyRound());
    else if (word === 'say' || word === 'think') round.steps.push({ does: word, text });
    else if (word === 'call' || word === 'malformed')
      round.steps.push({ does: 'call', name: rest[0] ?? '', input: rest.slice(1).join(' ') || '{}' });
    else if (word === 'slow') round.delay = Number(text);
    else if (word === 'drop') round.steps.push({ does: 'drop' });
    else if (word === 'again') round.isEndless = true;
    else if (word === 'fail') {
      const after = /retry-after (\d+)/.exec(text)?.[1];
      const times = /^\d+ (\d+)/.exec(text)?.[1];
      round.fail = { status: Number(rest[0]), times: Number(times ?? 1), retryAfter: after ? Number(after) : null };
    }
  }
  return rounds;
}
