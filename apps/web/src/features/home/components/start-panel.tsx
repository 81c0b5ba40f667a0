import { Button, FileButton, Group } from '@mantine/core';
import { IconNews, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { LinkButton } from '../../../ui/links.tsx';
import { Panel } from '../../../ui/page.tsx';
import { uploadableFiles } from '../../projects/model.ts';
import { toastProjectError, useCreateFromFile } from '../../projects/mutations.ts';
import { TemplateGallery } from '../../projects/template-gallery.tsx';
import { useSession } from '../../session/queries.ts';
import classes from './dashboard.module.css';

/** The ways in: a file of one's own, what others published, or a template. */
export function StartPanel() {
  const { features } = useSession();
  const { createFromFile } = useCreateFromFile();
  const [isSending, setSending] = useState(false);
  if (features?.projects?.enabled !== true) return null;
  const upload = async (file: File | null) => {
    if (!file) return;
    setSending(true);
    await createFromFile(file).catch((error) => toastProjectError(error, 'Could not create the project'));
    setSending(false);
  };
  return (
    <div className={classes.start}>
      <Panel title="Start something new">
        <Group gap="xs" mb="md">
          <FileButton accept={uploadableFiles} onChange={(file) => void upload(file)}>
            {(props) => (
              <Button size="xs" loading={isSending} leftSection={<IconUpload size={15} />} {...props}>
                Upload a csv or notebook
              </Button>
            )}
          </FileButton>
          {features.publish?.enabled && (
            <LinkButton size="xs" variant="default" to="/publications" leftSection={<IconNews size={15} />}>
              See published work
            </LinkButton>
          )}
        </Group>
        <TemplateGallery />
      </Panel>
    </div>
  );
}
