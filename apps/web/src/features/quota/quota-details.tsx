import type { Quota } from '@atoll/contract/quota/entity';
import { timeInWords } from '@atoll/contract/quota/words';
import type { ReactNode } from 'react';
import { TextLink } from '../../ui/links.tsx';
import { Figure } from '../../ui/lists/figure.tsx';
import figures from '../../ui/styles/figures.module.css';
import classes from './components/quota-details.module.css';
import { quotaState, renewalDate } from './model.ts';

const percent = (part: number) => `${part * 100}%`;
const timeOrNone = (seconds: number) => (seconds === 0 ? 'None' : timeInWords(seconds));

interface QuotaDetailsProps {
  quota: Quota;
  isOnUsagePage?: boolean;
  children?: ReactNode;
}

export function QuotaDetails({ quota, isOnUsagePage = false, children }: QuotaDetailsProps) {
  const { level, used, reserved, words, advice } = quotaState(quota);
  const renewal = renewalDate(quota);
  const projects = quota.projects_used.toLocaleString();
  return (
    <div className={classes.quota} data-level={level}>
      <div className={classes.head}>
        <span className={classes.title}>Execution time</span>
        <span>{words}</span>
      </div>
      {used !== null && (
        <div className={classes.bar} aria-hidden>
          <span className={classes.used} style={{ width: percent(used) }} />
          <span className={classes.held} style={{ width: percent(reserved) }} />
        </div>
      )}
      {advice && (
        <p className={classes.advice}>
          {advice} {renewal === null && <TextLink to="/sign-up">Create account</TextLink>}
        </p>
      )}
      <dl className={figures.rows}>
        <Figure name="Reserved by running code">{timeOrNone(quota.execution_reserved)}</Figure>
        <Figure name="Extension">{timeOrNone(quota.extension_balance)}</Figure>
        <Figure name="Projects">
          {quota.projects_total === null ? projects : `${projects} of ${quota.projects_total.toLocaleString()}`}
        </Figure>
        {renewal && <Figure name={used === null ? 'Resets on' : 'Renews on'}>{renewal}</Figure>}
      </dl>
      <div className={classes.links}>
        {!isOnUsagePage && <TextLink to="/usage">See usage</TextLink>}
        {level !== 'fine' && renewal !== null && <TextLink to="/pricing">Upgrade</TextLink>}
        {level !== 'fine' && renewal !== null && !isOnUsagePage && (
          <TextLink to="/usage" hash="extension">
            Buy execution time
          </TextLink>
        )}
      </div>
      {children && <div className={classes.more}>{children}</div>}
    </div>
  );
}
