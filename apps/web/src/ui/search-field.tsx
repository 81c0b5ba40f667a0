import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

interface SearchFieldProps {
  label: string;
  /** Says more than the label. */
  placeholder?: string;
  maxLength?: number;
  className?: string;
  /** What the list shows now. */
  value: string | undefined;
  /** A moment after the last letter. */
  onSearch(text: string): void;
}

/** Narrows a list while one types. */
export function SearchField({
  label,
  placeholder = label,
  maxLength = 200,
  className,
  value,
  onSearch,
}: SearchFieldProps) {
  const router = useRouter();
  const [text, setText] = useState(value ?? '');
  const field = useRef<HTMLInputElement>(null);
  const apply = useDebouncedCallback((searched: string, path: string) => {
    // Who has opened an entry meanwhile is on the way to it.
    if (router.latestLocation.pathname === path) onSearch(searched);
  }, 250);
  // Back and links change it from outside; what is being typed must not be overtaken.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(value ?? '');
  }, [value]);
  const write = (searched: string) => {
    setText(searched);
    apply(searched, router.latestLocation.pathname);
  };
  return (
    <TextInput
      ref={field}
      className={className}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={15} />}
      rightSection={text && <CloseButton size="sm" aria-label="Clear search" onClick={() => write('')} />}
      maxLength={maxLength}
      value={text}
      onChange={({ currentTarget }) => write(currentTarget.value)}
    />
  );
}
