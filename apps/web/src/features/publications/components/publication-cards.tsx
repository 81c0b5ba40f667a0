import type { Publication } from '@atoll/contract/publications/entity';
import { personName } from '@atoll/contract/users/names';
import { Skeleton } from '@mantine/core';
import { IconConfetti, IconEye, IconNews } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import cards from '../../../ui/styles/cards.module.css';
import { accessWords, counted, readingRoute, typeWords } from '../model.ts';
import classes from './publication-cards.module.css';

const shapes = Array.from({ length: 8 }, (_, index) => index);

export function PublicationCards({ publications }: { publications?: readonly Publication[] }) {
  return (
    <ul className={classes.cards} aria-label="Publications" aria-busy={!publications}>
      {publications
        ? publications.map((publication) => <Card key={publication.id} publication={publication} />)
        : shapes.map((shape) => (
            <li key={shape} className={classes.card}>
              <Skeleton className={classes.picture} radius={0} />
              <div className={classes.body}>
                <Skeleton height={16} width="80%" mb={8} />
                <Skeleton height={32} mb={8} />
                <Skeleton height={12} width="50%" />
              </div>
            </li>
          ))}
    </ul>
  );
}

const icon = { size: 13, stroke: 1.7, 'aria-hidden': true } as const;

function Card({ publication }: { publication: Publication }) {
  const { slug, title, description, cover_image, owner, type, content_kind, access_level, clap_count, view_count } =
    publication;
  return (
    <li className={classes.card}>
      <div className={classes.picture}>
        {cover_image ? (
          <img src={cover_image} alt="" loading="lazy" />
        ) : (
          <IconNews size={30} stroke={1.2} aria-hidden />
        )}
      </div>
      <div className={classes.body}>
        <p className={classes.kind}>
          {typeWords[type].one}
          {access_level !== 'public' && ` · ${accessWords[access_level].label}`}
        </p>
        <h2 className={classes.title}>
          <Link to={readingRoute(content_kind)} params={{ slug }} className={cards.link}>
            {title}
          </Link>
        </h2>
        <p className={classes.line}>{description}</p>
        <p className={classes.facts}>
          <span className={classes.owner}>{personName(owner)}</span>
          <span title={counted(clap_count, 'clap')}>
            <IconConfetti {...icon} />
            {clap_count.toLocaleString('en')}
          </span>
          <span title={counted(view_count, 'view')}>
            <IconEye {...icon} />
            {view_count.toLocaleString('en')}
          </span>
        </p>
      </div>
    </li>
  );
}
