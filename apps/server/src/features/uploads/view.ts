import { apiPrefix, uploadLimits } from '@atoll/contract';
import type { UploadRow } from './table.ts';

export const assetsPath = `${apiPrefix}/v1/assets`;
export const assetUrl = (id: string | null): string | null => (id === null ? null : `${assetsPath}/${id}`);

export const progressView = ({ upload, received }: { upload: UploadRow; received: number }) => ({
  upload_id: upload.id,
  received,
  is_complete: upload.completedAt !== null,
  max_size: uploadLimits[upload.kind],
});
