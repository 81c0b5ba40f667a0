import { Button, Group, Text } from '@mantine/core';
import { Link, useBlocker } from '@tanstack/react-router';
import { Page } from '../../../ui/page.tsx';
import { NoPermission } from '../../../ui/page-problems.tsx';
import tabs from '../../../ui/styles/tabs.module.css';
import { tabProps } from '../../../ui/tab-props.ts';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { useSession } from '../../session/queries.ts';
import { type Draft, useDraft } from '../draft.ts';
import { type Part, parts } from '../model.ts';
import { useResetTheme, useSaveTheme } from '../mutations.ts';
import { ColoursPart } from './colours-part.tsx';
import { IdentityPart } from './identity-part.tsx';
import { LinksPart } from './links-part.tsx';
import { LookPart } from './look-part.tsx';
import { PicturesPart } from './pictures-part.tsx';
import { Preview } from './preview.tsx';
import { TextsPart } from './texts-part.tsx';
import classes from './theme-page.module.css';

const editors: Record<Part, (props: { draft: Draft }) => React.ReactNode> = {
  identity: IdentityPart,
  colours: ColoursPart,
  look: LookPart,
  pictures: PicturesPart,
  texts: TextsPart,
  links: LinksPart,
};

export function ThemePage({ part = 'identity' }: { part?: Part }) {
  const session = useSession();
  if (!session.is_admin) return <NoPermission what="Only admins can change the theme." />;
  return <ThemeEditor part={part} />;
}

function ThemeEditor({ part }: { part: Part }) {
  const saved = useTheme();
  const draft = useDraft(saved);
  const save = useSaveTheme(saved, draft);
  const reset = useResetTheme();
  const Editor = editors[part];
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      draft.isDirty && current.pathname !== next.pathname && !window.confirm('Discard unsaved changes?'),
    enableBeforeUnload: draft.isDirty,
  });

  return (
    <Page
      title="Theme"
      width="wide"
      description="Name, colours, pictures and texts of this workspace. Changes are visible after you save."
      actions={
        <Button variant="default" loading={reset.isPending} onClick={() => reset.mutate(saved)}>
          Reset to default theme
        </Button>
      }
    >
      <nav aria-label="Theme sections" className={tabs.tabs}>
        {(Object.keys(parts) as Part[]).map((each) => (
          <Link key={each} to="/theme-preview" search={{ part: each }} {...tabProps(each === part)}>
            {parts[each]}
          </Link>
        ))}
      </nav>
      <div className={classes.columns}>
        <div>
          <Editor draft={draft} />
        </div>
        <Preview theme={draft.theme} />
      </div>
      {draft.isDirty && (
        <div className={classes.bar} role="status">
          <Text size="sm">Unsaved changes</Text>
          <Group gap={8}>
            <Button size="xs" variant="default" onClick={draft.discard}>
              Discard
            </Button>
            <Button size="xs" loading={save.isPending} onClick={() => save.mutate()}>
              Save theme
            </Button>
          </Group>
        </div>
      )}
    </Page>
  );
}
