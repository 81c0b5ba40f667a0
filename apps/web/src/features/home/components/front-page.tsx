import { Group, Text, Title } from '@mantine/core';
import { Footer } from '../../../ui/footer.tsx';
import { LinkButton } from '../../../ui/links.tsx';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import { LogoWithName } from '../../../ui/theme/logo.tsx';
import { LookSketch } from '../../../ui/theme/look-sketch.tsx';
import { useMode, useTheme } from '../../../ui/theme/theme-context.tsx';
import { useSession } from '../../session/queries.ts';
import { withoutTitle } from '../../site/model.ts';
import { Watermark } from '../../theme/watermark.tsx';
import classes from './front-page.module.css';

/** The public face of a variant that lands at the root: all its words are the owner's. */
export function FrontPage() {
  const { title, name, description, texts, palettes, themes } = useTheme();
  const { mode } = useMode();
  const session = useSession();
  return (
    <div className={classes.front}>
      <header className={classes.bar}>
        <LogoWithName size={28} />
        <Group gap={8}>
          {session.is_guest && (
            <LinkButton to="/sign-in" variant="subtle" color="gray">
              Sign in
            </LinkButton>
          )}
          <LinkButton to="/dashboard" variant="default">
            Open workspace
          </LinkButton>
        </Group>
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        <section className={classes.hero}>
          <div className={classes.words}>
            <Title order={1} className={classes.title}>
              {texts.tagline || title || name}
            </Title>
            {description && <Text className={classes.lead}>{description}</Text>}
            <Group gap={12} mt={8}>
              {session.is_guest ? (
                <LinkButton to="/sign-up" size="md">
                  Create account
                </LinkButton>
              ) : (
                <LinkButton to="/dashboard" size="md">
                  Go to dashboard
                </LinkButton>
              )}
              <LinkButton to="/contact-us" size="md" variant="default">
                Contact us
              </LinkButton>
            </Group>
          </div>
          <div className={classes.sketch}>
            <LookSketch palette={palettes[mode]} radius={themes[mode].radius} />
          </div>
        </section>
        {texts.about && (
          <section className={classes.about} aria-label={`About ${name}`}>
            <Markdown text={withoutTitle(texts.about)} />
          </section>
        )}
      </main>
      <Watermark />
      <div className={classes.foot}>
        <Footer />
      </div>
    </div>
  );
}
