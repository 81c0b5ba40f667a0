import type { FramePage } from '@atoll/contract';
import { Modal, Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { FrameGrid } from '../../outputs/frame-grid.tsx';
import { useNotebook } from '../notebook-context.tsx';
import { refusalWords } from '../refusal.ts';

/** A table of the kernel, opened from the list of variables. */
export function FrameDialog({ name, onClose }: { name: string; onClose(): void }) {
  const { store } = useNotebook();
  const [page, setPage] = useState<FramePage | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    store
      .must()
      .send('get_frame_page', { name })
      .then(setPage, (error: unknown) => setProblem(refusalWords(error)));
  }, [store, name]);
  return (
    <Modal opened onClose={onClose} title={name} size="80rem">
      {problem && <p role="alert">{problem}</p>}
      {!page && !problem && <Skeleton height={240} />}
      {page && <FrameGrid page={page} load={(query) => store.must().send('get_frame_page', { name, ...query })} />}
    </Modal>
  );
}
