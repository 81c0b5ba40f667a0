import type { ContentKind } from '@atoll/contract/publications/entity';
import { TextInput } from '@mantine/core';
import { getRootPath } from '../../../platform/http.ts';
import { readingRoute } from '../model.ts';

interface SlugFieldProps {
  name: string;
  value: string;
  error?: string | null;
  /** The one it has now, if it has one. */
  present: string | undefined;
  contentKind: ContentKind;
  onBlur(): void;
  onWrite(slug: string): void;
}

/** The last part of the address, with the whole of it below. */
export function SlugField({ present, contentKind, onWrite, ...field }: SlugFieldProps) {
  const url = `${location.origin}${getRootPath()}${readingRoute(contentKind).replace('$slug', field.value)}`;
  return (
    <TextInput
      label="Address"
      description={present && present !== field.value ? `${url}. Links to the present address keep working.` : url}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      maxLength={80}
      spellCheck={false}
      autoCapitalize="none"
      {...field}
      // What people type between words becomes what can stand there.
      onChange={(event) => onWrite(event.currentTarget.value.toLowerCase().replace(/\s+/g, '-'))}
    />
  );
}
