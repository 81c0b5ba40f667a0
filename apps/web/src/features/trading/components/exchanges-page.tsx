import type { TradingExchange } from '@atoll/contract/trading/entity';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { AccountNeeded } from '../../../ui/empty-state.tsx';
import { LinkButton } from '../../../ui/links.tsx';
import { Page } from '../../../ui/page.tsx';
import { RetryButton } from '../../../ui/problem.tsx';
import cards from '../../../ui/styles/cards.module.css';
import lists from '../../../ui/styles/lists.module.css';
import tabs from '../../../ui/styles/tabs.module.css';
import { tabProps } from '../../../ui/tab-props.ts';
import { toastError } from '../../../ui/toast.ts';
import { useSession } from '../../session/queries.ts';
import { EnvironmentBadge } from '../environment-badge.tsx';
import { useTradingLive } from '../live.ts';
import { type ExchangesSearch, type ExchangeTab, environmentHelp } from '../model.ts';
import { connectionsQuery } from '../queries.ts';
import { ConnectionCard } from './connection-card.tsx';
import { MarketList } from './market-list.tsx';
import { OrderList } from './order-list.tsx';
import classes from './trading.module.css';

const labels: Record<ExchangeTab, string> = { exchanges: 'Exchanges', markets: 'Markets', orders: 'Orders' };

/** Where people trade: what is connected, what is traded there, and what was ordered. */
export function ExchangesPage({ search }: { search: ExchangesSearch }) {
  const { is_guest } = useSession();
  const tab = search.tab ?? 'exchanges';
  return (
    <Page
      title="Exchanges"
      description="Start with the demo, or connect an exchange with a key that can trade and not withdraw."
      width="wide"
    >
      {is_guest ? (
        <AccountNeeded>Create an account to trade on the demo.</AccountNeeded>
      ) : (
        <>
          <nav className={tabs.tabs} aria-label="Trading">
            {(Object.keys(labels) as ExchangeTab[]).map((each) => (
              <Link
                key={each}
                to="/exchanges"
                search={each === 'exchanges' ? {} : { tab: each }}
                {...tabProps(each === tab)}
              >
                {labels[each]}
              </Link>
            ))}
          </nav>
          <Tab tab={tab} search={search} />
        </>
      )}
    </Page>
  );
}

function Tab({ tab, search }: { tab: ExchangeTab; search: ExchangesSearch }) {
  useTradingLive();
  if (tab === 'markets') return <MarketList exchange={search.exchange ?? 'demo'} />;
  if (tab === 'orders') return <OrderList search={{}} />;
  return <Exchanges />;
}

function Exchanges() {
  const { data, error, refetch } = useQuery(connectionsQuery);
  useEffect(() => {
    if (error) toastError(error, "Couldn't load exchange connections");
  }, [error]);
  if (error && !data)
    return (
      <div className={lists.empty} role="alert">
        <Text c="dimmed">{`Couldn't load exchange connections: ${messageOf(error) ?? 'Unknown error'}`}</Text>
        <RetryButton onClick={() => refetch()} />
      </div>
    );
  if (!data) return <Skeleton height={200} />;
  return (
    <>
      <section aria-label="Your connections" className={classes.connections}>
        {data.entries.map((connection) => (
          <ConnectionCard key={connection.id} connection={connection} />
        ))}
      </section>
      <h2 className={classes.heading}>Connect an exchange</h2>
      <ul className={cards.cards}>
        {data.exchanges
          .filter(({ type }) => type !== 'demo')
          .map((exchange) => (
            <ExchangeItem key={exchange.type} exchange={exchange} />
          ))}
      </ul>
    </>
  );
}

function ExchangeItem({ exchange }: { exchange: TradingExchange }) {
  const { type, name, environment, is_coming_soon, is_available } = exchange;
  const help = is_available ? environmentHelp[environment] : 'Not turned on in this installation';
  return (
    <li className={classes.exchange} data-soon={is_coming_soon || undefined}>
      <div>
        <strong>{name}</strong> {!is_coming_soon && <EnvironmentBadge environment={environment} />}
        <Text size="sm" c="dimmed">
          {is_coming_soon ? 'Coming soon' : help}
        </Text>
      </div>
      {is_available && (
        <LinkButton to="/exchanges/$id/connect" params={{ id: type }} variant="default" size="xs">
          Connect
        </LinkButton>
      )}
    </li>
  );
}
