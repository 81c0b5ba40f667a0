import { allow, allowOnRow, anyone, identified, owns, type Policy } from '../../platform/policy/policy.ts';
import type { UploadRow } from './table.ts';

export const uploadsPolicy: Policy = {
  'upload.create': allow(identified),
  'upload.write': allowOnRow<UploadRow>(identified, owns),
  'asset.view': allow(anyone),
};
