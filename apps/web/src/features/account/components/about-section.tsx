import { Button, Group, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { client } from '../../../platform/client.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import { Panel } from '../../../ui/page.tsx';
import { toast, toastError } from '../../../ui/toast.ts';
import { useSession } from '../../session/queries.ts';
import { aboutPageQuery } from '../queries.ts';

const RichEditor = lazyPart(() => import('./rich-editor.tsx'), 'RichEditor');

const limit = 50_000;

/** A draft only the author sees, and the published page; both are kept as Markdown. */
export function AboutSection() {
  const { id } = useSession();
  const query = aboutPageQuery(id);
  const { data } = useSuspenseQuery(query);
  const queryClient = useQueryClient();
  const published = data.content_rich?.text ?? '';
  const stored = data.content_rich_draft?.text ?? published;
  const [text, setText] = useState(stored);
  const [view, setView] = useState<'write' | 'preview'>('write');

  const save = useMutation({
    mutationFn: (isPublishing: boolean) => {
      const page = text.trim() ? ({ type: 'markdown', text } as const) : null;
      return client.account.updateAboutPage({
        content_rich_draft: page,
        ...(isPublishing ? { content_rich: page } : {}),
      });
    },
    onSuccess: (page, isPublishing) => {
      queryClient.setQueryData(query.queryKey, page);
      toast(isPublishing ? 'Your about page is published.' : 'Draft saved. Only you can see it.');
    },
    onError: (error) => toastError(error),
  });

  const saving = (isPublishing: boolean) => save.isPending && save.variables === isPublishing;
  return (
    <Panel
      title="About page"
      description="Tell others about yourself. It is visible after you publish it."
      aside={
        <SegmentedControl
          aria-label="Write or preview"
          size="xs"
          value={view}
          onChange={(next) => setView(next as typeof view)}
          data={[
            { value: 'write', label: 'Write' },
            { value: 'preview', label: 'Preview' },
          ]}
        />
      }
    >
      {view === 'write' ? (
        <>
          <Suspense fallback={<Skeleton height={320} />}>
            <RichEditor label="Text of the about page" initial={text} onChange={setText} />
          </Suspense>
          {text.length > limit && (
            <Text size="sm" c="var(--danger-ink)" role="alert">
              Too long: at most {limit.toLocaleString('en')} characters.
            </Text>
          )}
        </>
      ) : text.trim() ? (
        <Markdown text={text} />
      ) : (
        <Text c="dimmed">Nothing written yet.</Text>
      )}
      <Group mt="md" gap={8}>
        <Button
          disabled={text === published || text.length > limit}
          loading={saving(true)}
          onClick={() => save.mutate(true)}
        >
          Publish
        </Button>
        <Button
          variant="default"
          disabled={text === stored || text.length > limit}
          loading={saving(false)}
          onClick={() => save.mutate(false)}
        >
          Save as draft
        </Button>
        <Text size="sm" c="dimmed">
          {published
            ? text === published
              ? 'Published'
              : 'Published, with changes not yet published'
            : 'Not published'}
        </Text>
      </Group>
    </Panel>
  );
}
