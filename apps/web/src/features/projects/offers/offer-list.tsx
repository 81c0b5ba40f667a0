import type { ProjectOffer } from '@atoll/contract/projects/entity';
import { personName } from '@atoll/contract/users/names';
import { TextLink } from '../../../ui/links.tsx';
import { When } from '../../../ui/when.tsx';
import classes from './offers.module.css';
import { OfferButtons } from './project-notices.tsx';

/** Projects that other people offer to the person who looks. */
export const OfferList = ({ offers }: { offers: ProjectOffer[] }) => (
  <ul className={classes.list} aria-label="Projects offered to you">
    {offers.map(({ project, from, expires_at }) => (
      <li key={project.id} className={classes.notice}>
        <span className={classes.text}>
          {personName(from)} offers you{' '}
          <TextLink to="/projects/$projectId" params={{ projectId: project.id }}>
            {project.name}
          </TextLink>
          . The offer ends <When time={expires_at} />.
        </span>
        <span className={classes.buttons}>
          <OfferButtons project={project} />
        </span>
      </li>
    ))}
  </ul>
);
