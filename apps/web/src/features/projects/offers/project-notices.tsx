import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { personName } from '@atoll/contract/users/names';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { When } from '../../../ui/when.tsx';
import { useSession } from '../../session/queries.ts';
import { useAcceptCode, useAcceptOffer, useDeclineOffer, useWithdrawOffer } from './mutations.ts';
import classes from './offers.module.css';

interface NoticeProps {
  label: string;
  text: ReactNode;
  children: ReactNode;
}

const Notice = ({ label, text, children }: NoticeProps) => (
  <section aria-label={label} className={classes.notice}>
    <span className={classes.text}>{text}</span>
    <span className={classes.buttons}>{children}</span>
  </section>
);

/** What waits for an answer about who owns the project. */
export function ProjectNotices({ project }: { project: ProjectDetail }) {
  const { id: me } = useSession();
  const { offer } = project;
  return (
    <>
      {offer &&
        (offer.to.id === me ? (
          <Notice
            label="Offer"
            text={
              <>
                <b>{personName(offer.from)} offers you this project.</b> If you accept, you own it with its files,
                versions and settings, and it counts toward your plan. Code that others wrote gets your secrets only
                after you have read it.
              </>
            }
          >
            <OfferButtons project={project} />
          </Notice>
        ) : (
          <Waiting project={project} offer={offer} />
        ))}
      {project.is_awaiting_review && project.owner.id === me && <AcceptCode project={project} />}
    </>
  );
}

export function OfferButtons({ project }: { project: { id: string; name: string } }) {
  const accept = useAcceptOffer(project);
  const decline = useDeclineOffer(project);
  const isBusy = accept.isPending || decline.isPending;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={isBusy}
        aria-label={`Decline ${project.name}`}
        onClick={() => decline.mutate()}
      >
        Decline
      </Button>
      <Button
        size="xs"
        loading={accept.isPending}
        disabled={isBusy}
        aria-label={`Accept ${project.name}`}
        onClick={() => accept.mutate()}
      >
        Accept
      </Button>
    </>
  );
}

function Waiting({ project, offer }: { project: ProjectDetail; offer: NonNullable<ProjectDetail['offer']> }) {
  const withdraw = useWithdrawOffer(project);
  return (
    <Notice
      label="Offer"
      text={
        <>
          Waiting for {personName(offer.to)} to accept this project. The offer ends <When time={offer.expires_at} />.
        </>
      }
    >
      <Button size="xs" variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
        Withdraw offer
      </Button>
    </Notice>
  );
}

function AcceptCode({ project }: { project: ProjectDetail }) {
  const accept = useAcceptCode(project);
  return (
    <Notice
      label="Code of others"
      text={
        <>
          <b>This project came from another owner.</b> Its code runs without your secrets and exchange connections until
          you have read it.
        </>
      }
    >
      <Button size="xs" loading={accept.isPending} onClick={() => accept.mutate()}>
        I have read the code
      </Button>
    </Notice>
  );
}
