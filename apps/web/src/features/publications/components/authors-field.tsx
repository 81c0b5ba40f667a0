import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import type { PersonSummary, ProjectDetail } from '@atoll/contract/projects/entity';
import type { Publication } from '@atoll/contract/publications/entity';
import { personName } from '@atoll/contract/users/names';
import { MultiSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { grantsQuery } from '../../sharing/queries.ts';

interface AuthorsFieldProps {
  project: ProjectDetail;
  publication: Publication | null;
  value: string[];
  error?: string;
  onChange(ids: string[]): void;
}

/** The owner, and people the project is shared with. */
export function AuthorsField({ project, publication, ...field }: AuthorsFieldProps) {
  const grants = useInfiniteQuery({ ...grantsQuery(project.id), enabled: project.permissions.includes('share') });
  const people: PersonSummary[] = [
    project.owner,
    ...(publication?.authors ?? []),
    ...(grants.data?.pages.flatMap((page) => page.entries.map(({ user }) => user)) ?? []),
  ];
  const distinct = [...new Map(people.map((person) => [person.id, person])).values()];
  return (
    <MultiSelect
      label="Authors"
      placeholder={field.value.length ? undefined : 'The owner of the project'}
      searchable
      nothingFoundMessage="Only people the project is shared with"
      data={distinct.map((person) => ({ value: person.id, label: personName(person) }))}
      {...field}
    />
  );
}
