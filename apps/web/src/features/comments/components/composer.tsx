import { Button, Textarea, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { PersonLine } from '../../people/person-line.tsx';
import { peopleQuery } from '../../sharing/queries.ts';
import { mentionAt, withMention } from '../model.ts';
import classes from './comments.module.css';

interface ComposerProps {
  label: string;
  initial?: string;
  action: string;
  pending: boolean;
  isFocused?: boolean;
  /** Answers whether it was taken; what was typed is kept otherwise. */
  onSend(content: string): Promise<unknown>;
  onCancel?(): void;
}

/** Markdown, with names after an @; Mod+Enter sends it. */
export function Composer({ label, initial = '', action, pending, isFocused, onSend, onCancel }: ComposerProps) {
  const [text, setText] = useState(initial);
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const typed = mentionAt(text, caret);
  const [wanted] = useDebouncedValue(typed ?? '', 150);
  const { data } = useQuery(peopleQuery(typed ? wanted : ''));
  const names = typed ? (data?.entries ?? []).slice(0, 5) : [];
  const complete = (name: string) => {
    const next = withMention(text, caret, name);
    setText(next.text);
    setCaret(next.caret);
    setChosen(0);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(next.caret, next.caret);
    });
  };
  const send = async () => {
    if (!text.trim() || pending) return;
    await onSend(text.trim()).then(
      () => setText(''),
      () => {},
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const name = names[chosen];
    if (name && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      setChosen((chosen + (event.key === 'ArrowDown' ? 1 : names.length - 1)) % names.length);
    } else if (name && (event.key === 'Enter' || event.key === 'Tab') && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      complete(name.user_name);
    } else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      void send();
    } else if (event.key === 'Escape' && onCancel) {
      event.stopPropagation();
      onCancel();
    }
  };
  return (
    <div className={classes.composer}>
      <Textarea
        ref={field}
        aria-label={label}
        placeholder={label}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={10_000}
        autoFocus={isFocused}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setCaret(event.currentTarget.selectionStart);
          setChosen(0);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
      />
      {names.length > 0 && (
        <ul className={classes.names} aria-label="People to mention">
          {names.map((person, index) => (
            <li key={person.id}>
              <UnstyledButton
                className={classes.nameChoice}
                data-chosen={index === chosen || undefined}
                onClick={() => complete(person.user_name)}
              >
                <PersonLine person={person} />
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      {(text.trim() || onCancel) && (
        <div className={classes.composerFoot}>
          <span>Markdown, @ for people</span>
          <span>
            {onCancel && (
              <Button size="compact-xs" variant="subtle" color="gray" onClick={onCancel}>
                Cancel
              </Button>
            )}
            <Button size="compact-xs" loading={pending} disabled={!text.trim()} onClick={() => void send()}>
              {action}
            </Button>
          </span>
        </div>
      )}
    </div>
  );
}
