import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { client } from '../../../platform/client.ts';
import { toastError } from '../../../ui/toast.ts';

const PublishDialog = lazy(() =>
  import('../../publications/publish-dialog.tsx').then((module) => ({ default: module.PublishDialog })),
);

/** Shares and returns as they are now, for readers. */
export function PublishPortfolio({ id }: { id: string }) {
  const report = useMutation({
    mutationFn: () => client.portfolios.report({ id }),
    onError: (error) => toastError(error),
  });
  return (
    <>
      <Button variant="default" loading={report.isPending} onClick={() => report.mutate()}>
        Publish
      </Button>
      {report.data && (
        <Suspense>
          <PublishDialog projectId={id} fileId={report.data.file_id} onClose={report.reset} />
        </Suspense>
      )}
    </>
  );
}
