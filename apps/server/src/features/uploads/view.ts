import { apiPrefix } from '@atoll/contract';

export const assetUrl = (id: string | null): string | null => (id === null ? null : `${apiPrefix}/v1/assets/${id}`);
