import { Text, Textarea } from '@mantine/core';
import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import type { Assistant } from '../use-assistant.ts';
import classes from './assistant.module.css';

/** Where one writes to the assistant; while it answers, where one stops it. */
export function Composer({ assistant: { shown, act } }: { assistant: Assistant }) {
  const [text, setText] = useState('');
  /** Sent while the assistant was still answering; stopping it leaves the text where it is. */
  const [isQueued, setQueued] = useState(false);
  const isIdle = shown?.state === 'idle';
  const send = async () => {
    const said = text.trim();
    if (!said) return;
    setQueued(!isIdle);
    if (!isIdle) return;
    setText('');
    // What was refused is still there to be sent again.
    if (!(await act((topic) => topic.send('send_message', { text: said })))) setText(said);
  };
  const sendQueued = useEffectEvent(() => void (isQueued && send()));
  useEffect(() => {
    if (isIdle) sendQueued();
  }, [isIdle]);
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Textarea
        aria-label="Message to the assistant"
        placeholder={isIdle ? 'Ask, or say what to change' : 'The assistant is answering'}
        autosize
        minRows={1}
        maxRows={8}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setQueued(false);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      {isIdle ? (
        <IconButton label="Send" type="submit" size={32} variant="filled" disabled={!text.trim()}>
          <IconArrowUp size={17} />
        </IconButton>
      ) : (
        <IconButton
          label="Stop the assistant"
          tip="Stop"
          size={32}
          variant="default"
          onClick={() => {
            setQueued(false);
            void act((topic) => topic.send('interrupt_chat', {}));
          }}
        >
          <IconPlayerStopFilled size={15} />
        </IconButton>
      )}
      {isQueued && (
        <Text size="xs" c="dimmed" w="100%" role="status">
          Sent when the answer is complete.
        </Text>
      )}
    </form>
  );
}
