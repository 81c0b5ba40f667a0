import type { PublicUser } from '@atoll/contract/users/entity';
import { personName } from '@atoll/contract/users/names';
import { useSuspenseQuery } from '@tanstack/react-query';
import { LinkButton } from '../../../ui/links.tsx';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import page from '../../../ui/page.module.css';
import { NothingHere } from '../../../ui/rows.tsx';
import { aboutPageQuery } from '../../account/queries.ts';

export function PersonAbout({ user }: { user: PublicUser }) {
  const { data } = useSuspenseQuery(aboutPageQuery(user.id));
  const isSelf = user.permissions.includes('edit');
  if (!data.content_rich)
    return (
      <>
        <NothingHere>
          {isSelf ? 'Tell others what you work on.' : `${personName(user)} has not written an about page yet.`}
        </NothingHere>
        {isSelf && (
          <LinkButton mt="md" to="/profile" search={{ section: 'about' }} variant="default">
            Write your about page
          </LinkButton>
        )}
      </>
    );
  return (
    <section className={page.panel} aria-label={`About ${personName(user)}`}>
      <div className={page.panelBody}>
        <Markdown text={data.content_rich.text} />
      </div>
    </section>
  );
}
