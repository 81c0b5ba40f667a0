import type { Turn } from '@atoll/agent';
import type { AiConversation, AiStopReason } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import { Button, Loader, Tooltip, UnstyledButton } from '@mantine/core';
import { IconArrowBackUp, IconBrain, IconPlayerPlay } from '@tabler/icons-react';
import { memo, Suspense, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import type { Assistant } from '../use-assistant.ts';
import classes from './assistant.module.css';
import { ToolCallView } from './tool-call.tsx';

const RevertDialog = lazyPart(() => import('./revert-dialog.tsx'), 'RevertDialog');

const reasons: Record<AiStopReason, string> = {
  manual_stop: 'Stopped',
  timeout: 'Time limit',
  max_rounds_reached: 'Round limit',
  rejected: 'Rejected',
  budget_exceeded: 'Budget used up',
  stuck: 'Stuck',
  error: 'Error',
};

interface TurnViewProps {
  turn: Turn;
  isLast: boolean;
  streaming: AiConversation['streaming'];
  assistant: Assistant;
}

/** What a person said, and all that came of it. */
export const TurnView = memo(function TurnView({ turn, isLast, streaming, assistant }: TurnViewProps) {
  const [isReverting, setReverting] = useState(false);
  const { end, rounds } = turn;
  const isIdle = assistant.shown?.state === 'idle';
  const isWaiting = isLast && assistant.shown?.state === 'waiting_for_approval';
  return (
    <section className={classes.turn} data-reverted={turn.isReverted || undefined}>
      <header className={classes.asked}>
        <p>{turn.text}</p>
        <small>{turn.user ? personName(turn.user) : 'Someone'}</small>
        {turn.snapshot !== null && end && !turn.isReverted && (
          <Tooltip label="Revert to before this message">
            <UnstyledButton
              className={classes.revert}
              aria-label="Revert to before this message"
              disabled={!isIdle}
              onClick={() => setReverting(true)}
            >
              <IconArrowBackUp size={14} />
            </UnstyledButton>
          </Tooltip>
        )}
      </header>
      {rounds.map((round) => (
        <div key={round.seq} className={classes.round}>
          <Thinking text={round.thinking} />
          {round.text && <Markdown text={round.text} />}
          {round.calls.map((call) => (
            <ToolCallView
              key={call.id}
              call={call}
              isAsked={isWaiting && isNext(rounds, call.id)}
              assistant={assistant}
            />
          ))}
        </div>
      ))}
      <Thinking text={turn.thinking} />
      {streaming?.thinking && <Thinking text={streaming.thinking} isOpen={!streaming.text} />}
      {streaming?.text && <Markdown text={streaming.text} />}
      {end?.text && <Markdown text={end.text} />}
      {isLast && !end && !isWaiting && !streaming?.text && (
        <p className={classes.busy}>
          <Loader size={12} /> {rounds.at(-1)?.calls.some(({ state }) => state !== 'done') ? 'Working' : 'Thinking'} …
        </p>
      )}
      {end && <Ending turn={turn} isLast={isLast} assistant={assistant} />}
      <Suspense>
        {isReverting && turn.snapshot !== null && (
          <RevertDialog snapshot={turn.snapshot} assistant={assistant} onClose={() => setReverting(false)} />
        )}
      </Suspense>
    </section>
  );
});

/** Only the first that is not done is decided: the others follow it. */
const isNext = (rounds: Turn['rounds'], callId: string): boolean =>
  rounds.at(-1)?.calls.find(({ state }) => state !== 'done')?.id === callId;

function Thinking({ text, isOpen = false }: { text: string; isOpen?: boolean }) {
  if (!text) return null;
  return (
    <details className={classes.thinking} open={isOpen || undefined}>
      <summary>
        <IconBrain size={13} aria-hidden /> Thinking
      </summary>
      <p>{text}</p>
    </details>
  );
}

const number = new Intl.NumberFormat('en');

function Ending({
  turn: { end, isReverted },
  isLast,
  assistant,
}: Pick<TurnViewProps, 'turn' | 'isLast' | 'assistant'>) {
  if (!end) return null;
  const { stop_reason, message, counters } = end;
  const tokens = counters.input_tokens + counters.output_tokens;
  const counts = [
    counters.rounds === 1 ? '1 round' : `${counters.rounds} rounds`,
    `${number.format(tokens)} tokens`,
    ...(counters.units > 0 ? [`${number.format(Math.ceil(counters.units * 100) / 100)} units`] : []),
    `${(counters.milliseconds / 1000).toFixed(1)} s`,
  ];
  return (
    <footer className={classes.end}>
      {stop_reason && (
        <p className={classes.stopped} data-reason={stop_reason} role={isLast ? 'status' : undefined}>
          <strong>{reasons[stop_reason]}.</strong> {message}
        </p>
      )}
      <small>
        {counts.join(' · ')}
        {isReverted && ' · taken back'}
      </small>
      {isLast && stop_reason && !isReverted && (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconPlayerPlay size={12} />}
          onClick={() =>
            void assistant.act((topic) => topic.send('send_message', { text: 'Continue', is_continue: true }))
          }
        >
          Continue
        </Button>
      )}
    </footer>
  );
}
