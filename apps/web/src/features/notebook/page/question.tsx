import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNotebook, useNotebookMode, useQueued } from '../notebook-context.tsx';
import classes from './notebook.module.css';

/** The prompt of `input()`, with a field for the answer. */
export function Question({ id }: { id: string }) {
  const { store } = useNotebook();
  const mode = useNotebookMode();
  const { entry } = useQueued(id);
  const [value, setValue] = useState('');
  if (!entry?.question) return null;
  const { prompt, is_password } = entry.question;
  const send = (event: FormEvent) => {
    event.preventDefault();
    void store.answer(entry.id, value);
    setValue('');
  };
  return (
    <form className={classes.question} onSubmit={send}>
      <label htmlFor={`question-${id}`}>{prompt || 'The code asks for input'}</label>
      <TextInput
        id={`question-${id}`}
        size="xs"
        type={is_password ? 'password' : 'text'}
        autoComplete="off"
        autoFocus={entry.user?.id === store.options.me}
        value={value}
        disabled={mode === 'view'}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" disabled={mode === 'view'}>
        Submit
      </Button>
    </form>
  );
}
