import { readerCommentsAnchor } from '@atoll/contract/comments/place';
import type { PublicationDetail } from '@atoll/contract/publications/entity';
import { personName } from '@atoll/contract/users/names';
import { anchorId, decodedFragment } from '@atoll/notebook/anchors';
import { articleStyle } from '@atoll/notebook/article-style';
import { Alert, Title } from '@mantine/core';
import { useIntersection, useMediaQuery } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { Fragment, memo, type ReactNode, type RefCallback, Suspense, useEffect, useState } from 'react';
import { client } from '../../../platform/client.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { LinkButton, TextLink } from '../../../ui/links.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Watermark } from '../../theme/watermark.tsx';
import { counted, readingRoute } from '../model.ts';
import { publicationQuery } from '../queries.ts';
import { Contents } from './contents.tsx';
import { PublicationCards } from './publication-cards.tsx';
import { ReaderActions } from './reader-actions.tsx';
import classes from './reading.module.css';

const ReaderComments = lazyPart(() => import('../../comments/reader-comments.tsx'), 'ReaderComments');
const LiveOutputs = lazyPart(() => import('./live-outputs.tsx'), 'LiveOutputs');

interface ReadingPageProps {
  slug: string;
  version?: number;
  /** Between the title and the text, where the kind has more than an article. */
  above?(publicationId: string): ReactNode;
}

/** One publication, as the server's own page shows it, with what a reader can do. */
export function ReadingPage({ slug, version, above }: ReadingPageProps) {
  const { data: publication } = useSuspenseQuery(publicationQuery(slug, version));
  const { id, toc, tags, related, shown_version, html } = publication;
  const isWide = useMediaQuery('(min-width: 1200px)', false, { getInitialValueInEffect: false });
  useEffect(() => {
    // A view that is not counted is no loss to its reader.
    client.publications.countStat({ id, stat_name: 'view' }).catch(() => {});
  }, [id]);
  const [body, setBody] = useState<HTMLElement | null>(null);
  useForeignAnchor(body);
  const hasContents = toc.length > 2;
  return (
    <div className={classes.reading}>
      <style href="article" precedence="default">
        {articleStyle}
      </style>
      <div className={classes.columns} data-wide={(isWide && hasContents) || undefined}>
        <div className={classes.text}>
          {above && (
            <>
              {/* Apart from the article, whose styles are for what was written. */}
              <div className="article">
                <Head publication={publication} />
              </div>
              {above(id)}
            </>
          )}
          <article className="article">
            {!above && <Head publication={publication} />}
            {!shown_version.is_current && (
              <Alert color="warning" mb="lg" className={classes.notice}>
                You are reading version {shown_version.number}.{' '}
                <TextLink to={readingRoute(publication.content_kind)} params={{ slug }} search={{}}>
                  Read the newest.
                </TextLink>
              </Alert>
            )}
            {hasContents && !isWide && <Contents toc={toc} isFolded />}
            <Body html={html} onDrawn={setBody} />
            <Suspense>{body && <LiveOutputs key={shown_version.id} body={body} id={id} version={version} />}</Suspense>
            {tags.length > 0 && (
              <ul className={classes.tags} aria-label="Tags">
                {tags.map(({ id: tagId, name }) => (
                  <li key={tagId}>
                    <Link to="/publications" search={{ tags: [name] }} className={classes.tag}>
                      #{name}
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </article>
        </div>
        {hasContents && isWide && (
          <aside className={classes.side}>
            <Contents toc={toc} />
          </aside>
        )}
        <Comments key={id} publication={publication} />
      </div>
      {related.length > 0 && (
        <section className={classes.related} aria-labelledby="related_publications">
          <Title order={2} id="related_publications" className={classes.relatedTitle}>
            Related publications
          </Title>
          <PublicationCards publications={related} />
        </section>
      )}
      <Watermark />
    </div>
  );
}

/** Asked for when they come near. */
function Comments({ publication }: { publication: PublicationDetail }) {
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const [isNear, setNear] = useState(false);
  if (entry?.isIntersecting && !isNear) setNear(true);
  useFollowedAnchor();
  return (
    <section ref={ref} id={readerCommentsAnchor} className={classes.comments} aria-label="Comments">
      <Title order={2} className={classes.relatedTitle}>
        Comments
      </Title>
      <Suspense>{isNear && <ReaderComments publication={publication} />}</Suspense>
    </section>
  );
}

/** Who is led to the comments stays there while the article above them is still growing, until they move themselves. */
function useFollowedAnchor(): void {
  const isMeant = useLocation({ select: ({ hash }) => hash === readerCommentsAnchor });
  useEffect(() => {
    const article = isMeant && document.querySelector('.article');
    if (!article) return;
    const observer = new ResizeObserver(() => document.getElementById(readerCommentsAnchor)?.scrollIntoView());
    observer.observe(article);
    const stop = () => observer.disconnect();
    const moves = ['wheel', 'touchmove', 'keydown', 'pointerdown'];
    for (const move of moves) addEventListener(move, stop, { once: true, passive: true });
    return () => {
      stop();
      for (const move of moves) removeEventListener(move, stop);
    };
  }, [isMeant]);
}

/** Addresses name headings as Jupyter does, or as they were before anchors had a prefix. */
function useForeignAnchor(body: HTMLElement | null): void {
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    if (!body || !hash) return;
    const id = anchorId(decodedFragment(hash));
    const heading = body.querySelector(`[id="${CSS.escape(id)}"]`);
    if (heading && heading.id !== hash) heading.scrollIntoView();
  }, [body, hash]);
}

const dateOf = (time: string) => new Date(time).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });

function Head({ publication }: { publication: PublicationDetail }) {
  const { title, description, authors, published_at, shown_version, view_count, cover_image } = publication;
  return (
    <header>
      <h1>{title}</h1>
      {description && <p className="lead">{description}</p>}
      <p className={`byline ${classes.byline}`}>
        {authors.map((author, index) => (
          <Fragment key={author.id}>
            {index > 0 && ', '}
            <Link to="/users/$username" params={{ username: author.user_name }} className={classes.author}>
              {personName(author)}
            </Link>
          </Fragment>
        ))}{' '}
        <span className={classes.fact}>
          · {published_at ? <time dateTime={published_at}>{dateOf(published_at)}</time> : 'Draft'}
        </span>{' '}
        <span className={classes.fact}>· Version {shown_version.number}</span>{' '}
        {view_count > 0 && <span className={classes.fact}>· {counted(view_count, 'view')}</span>}
      </p>
      <ReaderActions publication={publication} />
      {cover_image && <img className="cover" alt="" src={cover_image} />}
    </header>
  );
}

/** Sanitised by the server when it was published; drawn once, however often what is around it changes. */
const Body = memo(({ html, onDrawn }: { html: string; onDrawn: RefCallback<HTMLElement> }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has sanitised it.
  <div ref={onDrawn} key={html} className="article-body" dangerouslySetInnerHTML={{ __html: html }} />
));

export function NotAvailable() {
  return (
    <Problem
      title="This publication is not available"
      actions={
        <LinkButton to="/publications" variant="default">
          Go to publications
        </LinkButton>
      }
    >
      It may have been unpublished.
    </Problem>
  );
}
