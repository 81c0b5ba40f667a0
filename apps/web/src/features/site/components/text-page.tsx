import type { Theme } from '@atoll/contract/theme/entity';
import { Text } from '@mantine/core';
import { LinkButton } from '../../../ui/links.tsx';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import { Page } from '../../../ui/page.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { useSession } from '../../session/queries.ts';
import { withoutTitle } from '../model.ts';

type TextName = 'about' | 'terms_of_service' | 'privacy_policy';

/** One of the owner's own texts. */
export function TextPage({ title, text }: { title: string; text: TextName }) {
  const theme = useTheme();
  const written = theme.texts[text];
  const heading = text === 'about' ? `About ${theme.name}` : title;
  return (
    <Page title={heading} width="text">
      {written ? <Markdown text={withoutTitle(written)} /> : <NothingYet />}
      {text !== 'privacy_policy' && theme.legal_address && <Address theme={theme} />}
    </Page>
  );
}

function NothingYet() {
  const { is_admin } = useSession();
  if (!is_admin) {
    return <Text c="dimmed">This page has no content yet.</Text>;
  }
  return (
    <>
      <Text c="dimmed" mb="md">
        Add the text of this page in the theme.
      </Text>
      <LinkButton to="/theme-preview" search={{ part: 'texts' }}>
        Edit text
      </LinkButton>
    </>
  );
}

function Address({ theme }: { theme: Theme }) {
  return (
    <Text component="address" size="sm" c="dimmed" mt="lg" style={{ whiteSpace: 'pre-line', fontStyle: 'normal' }}>
      {theme.legal_address}
    </Text>
  );
}
