import { type EmbedType, embedCode, embedPath } from '@atoll/contract/embeds/address';
import { Button, Code, Group, Modal, SegmentedControl, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { embedQuery, useChangeEmbed } from './queries.ts';

interface EmbedDialogProps {
  projectId: string;
  fileId: string;
  name: string;
  /** Null: the whole file. */
  cellId: string | null;
  onClose(): void;
}

export function EmbedDialog({ projectId, fileId, name, cellId, onClose }: EmbedDialogProps) {
  const address = { id: projectId, fileId };
  const { data } = useQuery(embedQuery(address));
  const change = useChangeEmbed(address);
  const embed = data?.embed ?? null;
  return (
    <Modal opened onClose={onClose} title={cellId ? 'Embed cell' : `Embed ${name}`} size="lg">
      <Stack>
        <Switch
          label="Embed this file"
          description="Anyone with the address can read the saved file, without an account."
          disabled={!data || change.isPending}
          checked={embed !== null}
          onChange={({ currentTarget }) => change.mutate(currentTarget.checked ? { allowed_sites: ['*'] } : null)}
        />
        {embed && (
          <>
            <AllowedSites
              key={embed.allowed_sites.join()}
              sites={embed.allowed_sites}
              isSaving={change.isPending}
              onSave={(allowed_sites) => change.mutate({ allowed_sites })}
            />
            <Stack gap="xs">
              <Switch
                label="Readers may run it"
                description="In a copy of their own, within their own execution time"
                disabled={change.isPending}
                checked={embed.execution_enabled}
                onChange={({ currentTarget }) => change.mutate({ execution_enabled: currentTarget.checked })}
              />
              {embed.execution_enabled && (
                <Switch
                  label="Copy the files of the project"
                  description="Readers who run it get all files of the project"
                  disabled={change.isPending}
                  checked={embed.execution_copy_project_files}
                  onChange={({ currentTarget }) =>
                    change.mutate({ execution_copy_project_files: currentTarget.checked })
                  }
                />
              )}
            </Stack>
            <EmbedPreview projectId={projectId} fileId={fileId} name={name} cellId={cellId} />
          </>
        )}
      </Stack>
    </Modal>
  );
}

interface AllowedSitesProps {
  sites: string[];
  isSaving: boolean;
  onSave(sites: string[]): void;
}

function AllowedSites({ sites, isSaving, onSave }: AllowedSitesProps) {
  const isForAll = sites.includes('*');
  const [text, setText] = useState(isForAll ? '' : sites.join('\n'));
  const named = text.split(/\s+/).filter(Boolean);
  return (
    <Stack gap="xs">
      <Switch
        label="All sites"
        checked={isForAll}
        disabled={isSaving}
        onChange={({ currentTarget }) => onSave(currentTarget.checked ? ['*'] : named)}
      />
      {!isForAll && (
        <>
          <Textarea
            label="Allowed sites"
            description="One for each line, such as https://example.org or https://*.example.org"
            autosize
            minRows={2}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Group>
            <Button size="xs" variant="default" loading={isSaving} onClick={() => onSave(named)}>
              Save sites
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}

const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

function EmbedPreview({ projectId, fileId, name, cellId }: Omit<EmbedDialogProps, 'onClose'>) {
  const [theme, setTheme] = useState('system');
  const [type, setType] = useState<EmbedType>(cellId ? 'cell' : 'file');
  const path = embedPath(type, projectId, fileId, cellId ?? fileId);
  const url = `${location.origin}${path}${theme === 'system' ? '' : `?theme=${theme}`}`;
  const code = embedCode(location.origin, { url, title: name });
  return (
    <>
      <Group gap="sm">
        <SegmentedControl aria-label="Theme" size="xs" data={themes} value={theme} onChange={setTheme} />
        {cellId && (
          <SegmentedControl
            aria-label="Content"
            size="xs"
            data={[
              { value: 'cell', label: 'Code and output' },
              { value: 'chart', label: 'Output' },
            ]}
            value={type}
            onChange={(value) => setType(value as EmbedType)}
          />
        )}
      </Group>
      <Stack gap="xs">
        <Code block aria-label="Embed code">
          {code}
        </Code>
        <Group>
          <CopyButton value={code} label="Copy code" />
        </Group>
      </Stack>
      <Text size="sm" fw={550}>
        Preview
      </Text>
      <PreviewFrame key={url} url={url} />
    </>
  );
}

const tallest = 480;

/** As tall as it says it is, as in the page of another site. */
function PreviewFrame({ url }: { url: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(160);
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || data?.type !== 'atoll:embed-height') return;
      if (typeof data.height === 'number') setHeight(Math.min(data.height, tallest));
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, []);
  return (
    <iframe
      ref={frame}
      src={url}
      title="Preview of the embed"
      style={{ width: '100%', height, border: '1px solid var(--line)', borderRadius: 8 }}
    />
  );
}
