import { Skeleton } from '@mantine/core';

const heights = [28, 96, 60, 160, 44];

/** Placeholders of cells while they are loading. */
export function NotebookSkeleton() {
  return (
    <div aria-busy style={{ maxWidth: 1120, margin: '0 auto', padding: '56px 24px 0 72px' }}>
      {heights.map((height) => (
        <Skeleton key={height} height={height} mb={18} radius="md" />
      ))}
    </div>
  );
}
