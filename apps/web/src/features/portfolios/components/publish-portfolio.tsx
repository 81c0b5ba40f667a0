import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Suspense } from 'react';
import { client } from '../../../platform/client.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { toastError } from '../../../ui/toast.ts';

const PublishDialog = lazyPart(() => import('../../publications/publish-dialog.tsx'), 'PublishDialog');

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
