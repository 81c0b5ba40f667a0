import { timeInWords } from '@atoll/contract/quota/words';
import type { BillingPeriod, RatePlan, Subscription } from '@atoll/contract/subscriptions/entity';
import { Alert, Badge, Button, SegmentedControl, Skeleton, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadProblem } from '../../../ui/empty-state.tsx';
import { LinkButton } from '../../../ui/links.tsx';
import { Page } from '../../../ui/page.tsx';
import { useSession } from '../../session/queries.ts';
import { plansQuery, subscriptionQuery } from '../queries.ts';
import { ChangePlanDialog } from './change-plan-dialog.tsx';
import classes from './pricing.module.css';

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
const dayOf = (time: string) => date.format(new Date(time));
const periods = [
  { value: 'monthly', label: 'Monthly' },
  { value: 'yearly', label: 'Yearly' },
];

/** The plans side by side, the present one marked. */
export function PricingPage() {
  const { is_guest } = useSession();
  const plans = useQuery(plansQuery);
  const own = useQuery({ ...subscriptionQuery, enabled: !is_guest });
  const [chosen, setChosen] = useState<BillingPeriod | null>(null);
  const [wanted, setWanted] = useState<RatePlan | null>(null);
  const period = chosen ?? own.data?.period ?? 'monthly';
  return (
    <Page title="Pricing" description="Plans are paid with units from your wallet. 1 unit is 1 US cent." width="wide">
      {own.data && <Status subscription={own.data} />}
      <SegmentedControl
        aria-label="Billing period"
        data={periods}
        value={period}
        onChange={(value) => setChosen(value as BillingPeriod)}
        mb="md"
      />
      {plans.error && !plans.data ? (
        <LoadProblem error={plans.error} onRetry={plans.refetch} />
      ) : (
        <ul className={classes.plans} aria-label="Plans">
          {plans.data
            ? plans.data.entries.map((plan) => (
                <PlanCard
                  key={plan.id}
                  plan={plan}
                  period={period}
                  subscription={own.data}
                  isGuest={is_guest}
                  onChoose={() => setWanted(plan)}
                />
              ))
            : [1, 2, 3, 4, 5].map((shape) => (
                <li key={shape} className={classes.plan}>
                  <Skeleton height={220} />
                </li>
              ))}
        </ul>
      )}
      {wanted && <ChangePlanDialog plan={wanted} period={period} onClose={() => setWanted(null)} />}
    </Page>
  );
}

function Status({ subscription }: { subscription: Subscription }) {
  const { plan, next_plan, next_billing, expiration, canceled_at, is_trial } = subscription;
  if (!expiration) return null;
  const isDue = next_billing !== null && expiration > next_billing;
  return (
    <Alert mb="md" color={isDue ? 'warning' : 'primary'} role="status">
      {isDue
        ? `${plan.title} could not be renewed. Add units to your wallet by ${dayOf(expiration)} to keep it.`
        : is_trial
          ? `Your trial of ${plan.title} ends on ${dayOf(expiration)}. Choose a plan to keep it; ${next_plan?.title ?? 'the free plan'} follows otherwise.`
          : canceled_at
            ? `${plan.title} is canceled and ends on ${dayOf(expiration)}.`
            : next_plan
              ? `${plan.title} changes to ${next_plan.title} on ${dayOf(expiration)}.`
              : `${plan.title} renews on ${dayOf(expiration)}.`}
    </Alert>
  );
}

interface PlanCardProps {
  plan: RatePlan;
  period: BillingPeriod;
  subscription: Subscription | undefined;
  isGuest: boolean;
  onChoose(): void;
}

function PlanCard({ plan, period, subscription, isGuest, onChoose }: PlanCardProps) {
  const price = period === 'yearly' ? plan.annual_price : plan.price;
  const isOwn = subscription?.plan.id === plan.id;
  // What is free or by agreement is the same for a month and a year.
  const isPresent = isOwn && !subscription.is_trial && (subscription.period === null || subscription.period === period);
  const canKeep = isPresent && subscription.next_plan !== null;
  return (
    <li className={classes.plan} aria-label={plan.title} data-highlighted={plan.highlighted || undefined}>
      <div className={classes.name}>
        <Title order={2}>{plan.title}</Title>
        {isOwn && <Badge>{subscription.is_trial ? 'Your trial' : 'Your plan'}</Badge>}
      </div>
      <p className={classes.price}>
        {price === null ? (
          <strong>By agreement</strong>
        ) : (
          <>
            <strong>{price.toLocaleString('en')}</strong> units a {period === 'yearly' ? 'year' : 'month'}
          </>
        )}
      </p>
      <ul className={classes.details}>
        {[...includes(plan), ...plan.details].map((detail) => (
          <li key={detail}>{detail}</li>
        ))}
      </ul>
      {isGuest ? (
        <LinkButton to="/sign-up" variant="default" fullWidth>
          Create account
        </LinkButton>
      ) : price === null ? (
        <LinkButton to="/contact-us" variant="default" fullWidth>
          Contact us
        </LinkButton>
      ) : isPresent && !canKeep ? (
        <Button disabled fullWidth>
          Your plan
        </Button>
      ) : (
        <Button variant={plan.highlighted ? 'filled' : 'default'} fullWidth disabled={!subscription} onClick={onChoose}>
          {canKeep ? `Keep ${plan.title}` : isOwn && !subscription.is_trial ? `Pay ${period}` : `Choose ${plan.title}`}
        </Button>
      )}
    </li>
  );
}

function includes(plan: RatePlan): string[] {
  const { max_number_of_projects: projects, max_execution_time: time, longest_run: longest, cores } = plan;
  return [
    projects === null ? 'Unlimited projects' : `${projects} projects`,
    time === null ? 'Unlimited execution time' : `${timeInWords(time)} execution time a month`,
    longest === null ? 'Runs of any length' : `Runs of up to ${timeInWords(longest)}`,
    `${cores} ${cores === 1 ? 'core' : 'cores'}, ${plan.memory_bytes / 1024 ** 3} GB memory`,
  ];
}
