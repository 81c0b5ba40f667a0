import type { ProjectFile } from '@atoll/contract/files/entity';
import { parentOf } from '@atoll/contract/files/paths';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createContext, type ReactNode, useMemo } from 'react';
import { contentUrl } from '../../files/addresses.ts';
import { treeQuery } from '../../files/queries.ts';
import { projectPath } from './project-path.ts';

/** The location of a text, from which its addresses in the project are resolved. */
export interface TextPlace {
  find(address: string): { id: string; url: string; page: string } | null;
  open(fileId: string): void;
}

export const TextPlaceContext = createContext<TextPlace | null>(null);

/** Texts in here show pictures of the project, and their links lead to its files. Readers need the right to see these. */
export function TextsOf({ file, children }: { file: Pick<ProjectFile, 'id' | 'project_id'>; children: ReactNode }) {
  const { data: tree } = useQuery(treeQuery(file.project_id));
  const navigate = useNavigate();
  const files = tree?.files;
  const place = useMemo((): TextPlace => {
    const byPath = new Map(files?.map((each) => [each.path, each]));
    const folder = parentOf(files?.find(({ id }) => id === file.id)?.path ?? '');
    return {
      find(address) {
        const found = byPath.get(projectPath(address, folder) ?? '');
        if (!found) return null;
        return { id: found.id, url: contentUrl(found), page: `?file=${found.id}` };
      },
      open: (fileId) => void navigate({ to: '.', search: { file: fileId } }),
    };
  }, [files, file.id, navigate]);
  return <TextPlaceContext value={place}>{children}</TextPlaceContext>;
}
