import type { CallState } from '@atoll/agent';
import { Button, Group, Loader, TextInput } from '@mantine/core';
import { IconBan, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Assistant } from '../use-assistant.ts';
import classes from './assistant.module.css';

const icons = {
  ok: <IconCheck size={13} aria-label="Done" />,
  error: <IconX size={13} aria-label="Failed" />,
  rejected: <IconBan size={13} aria-label="Rejected" />,
  interrupted: <IconBan size={13} aria-label="Not done" />,
};

interface ToolCallViewProps {
  call: CallState;
  isAsked: boolean;
  assistant: Assistant;
}

/** What the assistant does or wants to do; before it may, exactly what will happen. */
export function ToolCallView({ call, isAsked, assistant }: ToolCallViewProps) {
  const { completed, title, preview, state } = call;
  const sign = completed ? (
    icons[completed.outcome]
  ) : state === 'started' || state === 'approved' ? (
    <Loader size={11} aria-label="Running" />
  ) : (
    <IconClock size={13} aria-label="Waiting" />
  );
  if (isAsked) return <Question call={call} assistant={assistant} />;
  return (
    <details className={classes.call} data-outcome={completed?.outcome}>
      <summary>
        {sign} <span>{title}</span>
      </summary>
      {preview && <pre>{preview}</pre>}
      {completed?.result && <pre data-result>{completed.result}</pre>}
    </details>
  );
}

function Question({ call, assistant }: Omit<ToolCallViewProps, 'isAsked'>) {
  const [isPending, setPending] = useState(false);
  const [words, setWords] = useState<string | null>(null);
  const decide = async (work: Parameters<Assistant['act']>[0]) => {
    setPending(true);
    if (!(await assistant.act(work))) setPending(false);
  };
  const approve = (is_always: boolean) =>
    void decide((topic) => topic.send('approve_tool_use', { call_id: call.id, is_always }));
  const reject = (message?: string) =>
    void decide((topic) => topic.send('reject_tool_use', { call_id: call.id, ...(message ? { message } : {}) }));
  return (
    <fieldset className={classes.question} aria-label={`Approve: ${call.title}`}>
      <p>{call.title}?</p>
      {call.preview && <pre>{call.preview}</pre>}
      {words !== null && (
        <TextInput
          size="xs"
          mb={8}
          autoFocus
          aria-label="What to do instead"
          placeholder="What to do instead"
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && words.trim() && reject(words.trim())}
        />
      )}
      <Group gap={6}>
        <Button size="compact-sm" loading={isPending} onClick={() => approve(false)}>
          Approve
        </Button>
        <Button size="compact-sm" variant="default" disabled={isPending} onClick={() => approve(true)}>
          Always
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={isPending}
          onClick={() => reject(words?.trim() || undefined)}
        >
          Reject
        </Button>
        {words === null && (
          <Button size="compact-sm" variant="subtle" disabled={isPending} onClick={() => setWords('')}>
            Reject with a comment
          </Button>
        )}
      </Group>
    </fieldset>
  );
}
