import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import editor from '../../../ui/editor/editor.module.css';
import { toastWithUndo } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { Compare } from '../lazy-editor.tsx';
import classes from './conflict.module.css';
import type { OpenDocument, Theirs } from './document.ts';

/** Another person saved first: shows both texts, and lets the person choose. Nothing is lost before the choice. */
export function Conflict({ document, theirs }: { document: OpenDocument; theirs: Theirs }) {
  // My text when the dialog opened; editing the right side makes the merge.
  const [mine] = useState(document.text);
  const [merge, setMerge] = useState(mine);
  const person = theirs.file.updated_by?.user_name ?? 'Someone else';

  const takeTheirs = async () => {
    await document.settle(theirs.text);
    toastWithUndo('Replaced with the other version.', () => document.write(mine));
  };

  return (
    <div className={classes.compare}>
      <div className={classes.bar} role="alert">
        <div>
          <strong>{person}</strong> saved this file <When time={theirs.file.updated_at} />, while you were editing it.
          <Text size="sm">Copy parts of the other version, edit yours, then save.</Text>
        </div>
        <Group gap="sm">
          <Button size="xs" variant="default" onClick={takeTheirs}>
            Take theirs
          </Button>
          <Button size="xs" variant={merge === mine ? 'filled' : 'default'} onClick={() => void document.settle(mine)}>
            Keep mine
          </Button>
          {merge !== mine && (
            <Button size="xs" onClick={() => void document.settle(merge)}>
              Save merged version
            </Button>
          )}
        </Group>
      </div>
      <div className={editor.heads}>
        <span>Theirs, version {theirs.file.version}</span>
        <span>Yours, not saved yet</span>
      </div>
      <div className={classes.texts}>
        <Compare
          name={theirs.file.name}
          left={theirs.text}
          right={mine}
          leftLabel="Their text"
          rightLabel="Your text"
          onChange={(text) => {
            setMerge(text);
            document.edit(text);
          }}
        />
      </div>
    </div>
  );
}
