import { executableKind } from '@atoll/contract/projects/kinds';
import { type Icon, IconFile } from '@tabler/icons-react';
import { type DocumentKind, documentKindOf } from '../../platform/features/document-kind.ts';
import { kindWords } from '../projects/kinds.ts';

/** Kinds of project have their icon even before they have an editor. */
export function fileIcon(kinds: readonly DocumentKind[], name: string): Icon {
  const executable = executableKind(name);
  return executable ? kindWords[executable].icon : (documentKindOf(kinds, name)?.icon ?? IconFile);
}
