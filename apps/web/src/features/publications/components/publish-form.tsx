import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import '@mantine/core/styles/Radio.layer.css';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import type {
  AccessLevel,
  ContentKind,
  Publication,
  PublicationCategory,
  PublicationType,
} from '@atoll/contract/publications/entity';
import { slugFrom } from '@atoll/contract/publications/slug';
import { Button, Group, NativeSelect, Radio, Stack, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import { atMost, required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { toast } from '../../../ui/toast.ts';
import { saveAll } from '../../files/documents.ts';
import { tagsQuery } from '../../projects/queries.ts';
import { useSession } from '../../session/queries.ts';
import { accessWords, categoryWords, checkSlug, isPublished, typeWords } from '../model.ts';
import { usePublish } from '../mutations.ts';
import { publishableCellsQuery, remotePicturesQuery } from '../queries.ts';
import { AuthorsField } from './authors-field.tsx';
import { CellsField } from './cells-field.tsx';
import { type CoverChoice, CoverField } from './cover-field.tsx';
import { PicturesField } from './pictures-field.tsx';
import classes from './publish.module.css';
import { SlugField } from './slug-field.tsx';

interface PublishFormProps {
  project: ProjectDetail;
  fileId: string;
  publication: Publication | null;
  suggestedSlug: string;
  contentKind: ContentKind;
  /** What it can be read as, the usual one first. */
  types: readonly PublicationType[];
  isRunning: boolean;
  onClose(): void;
}

const isSame = (one: readonly string[], other: readonly string[]) => one.join('\n') === other.join('\n');

/** Fields that the form's own state does not hold, and what the server says of them. */
const otherFields = ['tags', 'author_ids', 'payload', 'cover_upload_id', 'cover_cell_id'] as const;
type OtherErrors = Partial<Record<(typeof otherFields)[number], string>>;

export function PublishForm({ project, fileId, publication, isRunning, onClose, ...about }: PublishFormProps) {
  const { suggestedSlug, contentKind, types } = about;
  const { features } = useSession();
  const known = useQuery(tagsQuery).data?.entries.map(({ name }) => name) ?? [];
  // What has no code is only read.
  const hasCode = contentKind !== 'pasas';
  // A strategy is shown with its code or without, and is one piece.
  const hasCells = hasCode && contentKind !== 'strategies';
  const cells = useQuery({ ...publishableCellsQuery(project.id, fileId), enabled: hasCells }).data;
  const pictures = useQuery({ ...remotePicturesQuery(fileId), enabled: hasCells }).data?.entries ?? [];
  const publish = usePublish(fileId);
  const before = {
    tags: publication?.tags.map(({ name }) => name) ?? [],
    authors: publication?.authors.map(({ id }) => id) ?? [project.owner.id],
    hidden: publication?.payload.hidden_cell_ids ?? [],
    showsCode: publication?.payload.shows_code ?? true,
    // Who publishes for the first time is offered them; later it is as they decided.
    keepsPictures: publication ? publication.payload.keeps_pictures === true : null,
  };
  const [tags, setTags] = useState(before.tags);
  const [authors, setAuthors] = useState(before.authors);
  const [hidden, setHidden] = useState(before.hidden);
  const [cover, setCover] = useState<CoverChoice>({ kind: 'keep' });
  const [isSlugWritten, setSlugWritten] = useState(publication !== null);
  const [errors, setErrors] = useState<OtherErrors>({});
  const form = useForm({
    initial: {
      title: publication?.title ?? project.name,
      description: publication?.description ?? project.description,
      slug: publication?.slug ?? suggestedSlug,
      type: (publication?.type ?? types[0] ?? 'article') as string,
      category: (publication?.category ?? 'other') as string,
      access_level: (publication?.access_level ?? 'link_shared') as string,
      shows_code: before.showsCode,
      keeps_pictures: before.keepsPictures ?? true,
      execution_enabled: publication?.execution_enabled ?? false,
      execution_copy_project_files: publication?.execution_copy_project_files ?? false,
      run_first: false,
    },
    checks: { title: required('A title'), description: atMost(2_000), slug: checkSlug },
    submit: async ({ title, description, slug, type, category, access_level, shows_code, ...values }) => {
      setErrors({});
      try {
        await saveAll(project.id);
        const isFirstShown = access_level !== 'draft' && !(publication && isPublished(publication));
        const keeps_pictures = values.keeps_pictures && (pictures.length > 0 || before.keepsPictures === true);
        const isPayloadChanged =
          shows_code !== before.showsCode ||
          keeps_pictures !== (before.keepsPictures ?? false) ||
          !isSame(hidden, before.hidden);
        const stored = await publish.mutateAsync({
          title: title.trim(),
          description: description.trim(),
          slug,
          type: type as PublicationType,
          category: category as PublicationCategory,
          access_level: access_level as AccessLevel,
          execution_enabled: shows_code && values.execution_enabled,
          execution_copy_project_files: values.execution_copy_project_files,
          ...(isSame(tags, before.tags) ? {} : { tags }),
          ...(isSame(authors, before.authors) ? {} : { author_ids: authors }),
          ...(isPayloadChanged
            ? {
                payload: {
                  shows_code,
                  hidden_cell_ids: hidden,
                  ...(keeps_pictures === (before.keepsPictures ?? false) ? {} : { keeps_pictures }),
                },
              }
            : {}),
          ...(cover.kind === 'upload' ? { cover_upload_id: cover.uploadId } : {}),
          ...(cover.kind === 'none' ? { cover_upload_id: null } : {}),
          ...(cover.kind === 'cell' ? { cover_cell_id: cover.cellId } : {}),
          ...(isFirstShown ? { publish_version: true } : {}),
          ...(values.run_first ? { run_first: true } : {}),
        });
        setCover({ kind: 'keep' });
        form.set('run_first', false);
        if (values.run_first) return;
        const missing = keeps_pictures && isPublished(stored) ? await wordsOfMissing(fileId) : '';
        // The dialog itself shows what was published first.
        const outcome = isFirstShown ? '' : isPublished(stored) ? 'Publication saved.' : 'Draft saved.';
        const words = `${outcome}${missing}`.trim();
        if (words) toast(words);
      } catch (error) {
        if (error instanceof ApiError) setErrors(otherErrors(error));
        throw error;
      }
    },
  });
  const { values } = form;
  const isPublicAllowed = features?.publish_globally?.enabled === true;
  const isShownNow = publication !== null && isPublished(publication);
  const label = values.access_level === 'draft' && !isShownNow ? 'Save draft' : isShownNow ? 'Save changes' : 'Publish';
  return (
    <Form form={form}>
      <TextInput
        label="Title"
        maxLength={200}
        data-autofocus
        {...form.text('title')}
        onChange={(event) => {
          form.set('title', event.currentTarget.value);
          if (!isSlugWritten) form.set('slug', slugFrom(event.currentTarget.value) || suggestedSlug);
        }}
      />
      <Textarea label="Description" autosize minRows={2} maxRows={6} {...form.text('description')} />
      <SlugField
        {...form.text('slug')}
        present={publication?.slug}
        contentKind={contentKind}
        onWrite={(slug) => {
          setSlugWritten(true);
          form.set('slug', slug);
        }}
      />
      <div className={classes.pair}>
        <NativeSelect
          label="Type"
          data={types.map((value) => ({ value, label: typeWords[value].one }))}
          {...form.text('type')}
        />
        <NativeSelect
          label="Category"
          data={Object.entries(categoryWords).map(([value, name]) => ({ value, label: name }))}
          {...form.text('category')}
        />
      </div>
      <Radio.Group
        label="Who can read it"
        value={values.access_level}
        error={form.text('access_level').error}
        onChange={(level) => form.set('access_level', level)}
      >
        <Stack gap={8} mt={4}>
          {(Object.keys(accessWords) as AccessLevel[]).map((level) => (
            <Radio
              key={level}
              value={level}
              disabled={level === 'public' && !isPublicAllowed && publication?.access_level !== 'public'}
              label={accessWords[level].label}
              description={
                level === 'public' && !isPublicAllowed
                  ? 'Public publications are not enabled for your account'
                  : accessWords[level].text
              }
            />
          ))}
        </Stack>
      </Radio.Group>
      <CoverField
        choice={cover}
        onChange={setCover}
        present={publication?.cover_image ?? null}
        cells={cells ?? []}
        error={errors.cover_upload_id ?? errors.cover_cell_id}
      />
      <TagsInput
        label="Tags"
        placeholder={tags.length ? undefined : 'Type a tag and press Enter'}
        maxTags={20}
        data={known}
        value={tags}
        error={errors.tags}
        onChange={setTags}
      />
      <AuthorsField
        project={project}
        publication={publication}
        value={authors}
        error={errors.author_ids}
        onChange={setAuthors}
      />
      {hasCode && (
        <Switch
          label="Show code"
          description={
            hasCells
              ? 'Readers see the code of cells, not only the results'
              : 'Readers see the code, not only the results'
          }
          {...form.flag('shows_code')}
        />
      )}
      {hasCells && (
        <>
          <CellsField cells={cells} hidden={hidden} error={errors.payload} onChange={setHidden} />
          {pictures.length > 0 && <PicturesField pictures={pictures} {...form.flag('keeps_pictures')} />}
          <Switch
            label="Readers can run it"
            description={
              values.shows_code
                ? 'In a copy of their own'
                : 'Show the code to let readers run it in a copy of their own'
            }
            disabled={!values.shows_code}
            {...form.flag('execution_enabled')}
            checked={values.shows_code && values.execution_enabled}
          />
          {values.shows_code && values.execution_enabled && (
            <Switch
              label="Copy the files of the project"
              description="Readers who run it get all files of the project"
              {...form.flag('execution_copy_project_files')}
            />
          )}
          <Switch
            label="Run all cells before publishing"
            description="In a clean kernel; publishes the result if every cell succeeds"
            disabled={isRunning}
            {...form.flag('run_first')}
          />
        </>
      )}
      <FormProblem problem={form.problem} />
      <Group justify="flex-end" gap="sm" className={classes.foot}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <SubmitButton pending={form.pending} disabled={isRunning}>
          {label}
        </SubmitButton>
      </Group>
    </Form>
  );
}

/** The list in the form says which and why. */
async function wordsOfMissing(fileId: string): Promise<string> {
  const answer = await client.publications.remotePictures({ id: fileId }).catch(() => null);
  const missing = answer?.entries.filter(({ is_kept }) => !is_kept).length ?? 0;
  if (missing === 0) return '';
  return missing === 1
    ? ' 1 picture could not be fetched and is a link.'
    : ` ${missing} pictures could not be fetched and are links.`;
}

/** By field, whether the whole of it or one of its parts is wrong. */
function otherErrors({ fields }: ApiError): OtherErrors {
  const said = Object.entries(fields);
  return Object.fromEntries(
    otherFields.flatMap((name) => {
      const found = said.find(([path]) => path === name || path.startsWith(`${name}.`));
      return found ? [[name, found[1].join(' ')]] : [];
    }),
  );
}
