import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSession } from '../session/queries.ts';
import classes from './unsent/kept.module.css';
import { KeptFigure } from './unsent/kept-figure.tsx';
import { forgetKept, type KeptElsewhere, keptOfProject, onKept } from './unsent/unsent.ts';

/** Unsaved texts of this person in notebooks of a project that they may no longer open. */
export function KeptWithoutAccess({ projectId }: { projectId: string }) {
  const me = useSession().id;
  const [kept, setKept] = useState<KeptElsewhere[]>([]);
  useEffect(() => {
    const read = () => setKept(keptOfProject(me, projectId));
    read();
    return onKept(read);
  }, [me, projectId]);
  if (kept.length === 0) return null;
  return (
    <section className={classes.kept} data-apart aria-label="Unsaved changes">
      <p className={classes.why}>
        <IconAlertTriangle size={16} aria-hidden />
        Your last changes were not saved. They are stored in this browser only: copy what you need.
      </p>
      {kept.map(({ key, cellId, text }) => (
        <KeptFigure key={`${key} ${cellId}`} caption="From a notebook" text={text} />
      ))}
      <Button size="xs" variant="subtle" onClick={() => forgetKept(me, projectId)}>
        {kept.length === 1 ? 'Discard' : 'Discard all'}
      </Button>
    </section>
  );
}
