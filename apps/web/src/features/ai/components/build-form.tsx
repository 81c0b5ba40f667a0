import { Button, Textarea } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useState } from 'react';
import type { Assistant } from '../use-assistant.ts';
import classes from './assistant.module.css';

const policies = { insert_cell: 'always', change_cell: 'always', run_cells: 'always' } as const;

/** A whole notebook from a sentence: cells are added and run as they are written. */
export function BuildForm({ assistant: { act } }: { assistant: Assistant }) {
  const [text, setText] = useState('');
  const [isPending, setPending] = useState(false);
  const build = async () => {
    setPending(true);
    const prompt = `Build a notebook in this document, cell by cell, and run each cell as you add it: ${text.trim()}`;
    const isBegun = await act(async (topic) => {
      await topic.send('update_ai_configuration', { policies });
      await topic.send('send_message', { text: prompt });
    });
    if (!isBegun) setPending(false);
  };
  return (
    <form
      className={classes.build}
      onSubmit={(event) => {
        event.preventDefault();
        void build();
      }}
    >
      <Textarea
        label="Build a notebook"
        description="From now on you are not asked before cells are added and run in this notebook."
        placeholder="What it should find out, and from which data"
        autosize
        minRows={2}
        maxRows={6}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button
        type="submit"
        size="xs"
        mt={8}
        leftSection={<IconSparkles size={14} />}
        loading={isPending}
        disabled={!text.trim()}
      >
        Build and run
      </Button>
    </form>
  );
}
