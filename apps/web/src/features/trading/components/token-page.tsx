import { exchangeInfo } from '@atoll/contract/trading/values';
import { Anchor, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AccountNeeded, LoadProblem } from '../../../ui/empty-state.tsx';
import { LinkButton } from '../../../ui/links.tsx';
import { Figure } from '../../../ui/lists/figure.tsx';
import { Page } from '../../../ui/page.tsx';
import figures from '../../../ui/styles/figures.module.css';
import { useSession } from '../../session/queries.ts';
import { EnvironmentBadge } from '../environment-badge.tsx';
import { useLiveMarket, useTradingLive } from '../live.ts';
import { ageWords, amountWords, changeWords, compactWords, exchangeOfAsset, priceWords } from '../model.ts';
import { assetQuery, balanceQuery, connectionsQuery } from '../queries.ts';
import { OrderBook } from './order-book.tsx';
import { OrderList } from './order-list.tsx';
import { PriceChart } from './price-chart.tsx';
import { PriceSource } from './price-source.tsx';
import classes from './token.module.css';
import { TradeForm } from './trade-form.tsx';
import trading from './trading.module.css';

/** One asset: its price, what others offer, what one owns of it, and an order. */
export function TokenPage({ id }: { id: string }) {
  const exchange = exchangeOfAsset(id);
  const isLive = useLiveMarket(id);
  const { data: asset, error, refetch } = useQuery(assetQuery(id, isLive));
  const [picked, setPicked] = useState<string | null>(null);
  const { is_guest } = useSession();
  useTradingLive();
  const connections = useQuery({ ...connectionsQuery, enabled: !is_guest });
  if (error && !asset)
    return (
      <Page title="Market" width="wide">
        <LoadProblem error={error} onRetry={refetch} />
      </Page>
    );
  if (!asset)
    return (
      <Page title={id.slice(id.indexOf('-') + 1)} width="wide">
        <Skeleton height={480} />
      </Page>
    );
  const own = connections.data?.entries.filter(({ type }) => type === exchange) ?? [];
  return (
    <Page
      title={`${asset.name} (${asset.symbol})`}
      description={
        <span className={classes.price}>
          <strong data-price>{priceWords(asset.price)}</strong> {asset.quote}{' '}
          <span data-direction={(asset.change ?? 0) < 0 ? 'down' : 'up'}>{changeWords(asset.change)}</span>{' '}
          <EnvironmentBadge environment={exchangeInfo[exchange].environment} /> <PriceSource isLive={isLive} />
        </span>
      }
      actions={
        <LinkButton to="/exchanges" search={{ tab: 'markets' }} variant="default" size="xs">
          All markets
        </LinkButton>
      }
      width="wide"
    >
      <div className={classes.token}>
        <PriceChart asset={id} last={asset.price} />
        <aside className={`${classes.panel} ${classes.side}`}>
          {is_guest ? (
            <AccountNeeded>Create an account to trade on the demo.</AccountNeeded>
          ) : connections.data ? (
            <TradeForm rules={asset.market} last={asset.price ?? '0'} connections={own} picked={picked} />
          ) : (
            <Skeleton height={360} />
          )}
        </aside>
        <section className={`${classes.panel} ${classes.statistics}`} aria-label="Statistics">
          <dl className={figures.figures}>
            <Figure name="High, 24 h">{priceWords(asset.high_24h)}</Figure>
            <Figure name="Low, 24 h">{priceWords(asset.low_24h)}</Figure>
            <Figure name="Volume, 24 h">{`${compactWords(asset.volume)} ${asset.quote}`}</Figure>
            <Figure name="Market cap">{compactWords(asset.market_cap)}</Figure>
            <Figure name="Age">{ageWords(asset.age)}</Figure>
            <Figure name="Category">{asset.category ?? '–'}</Figure>
            {own[0] && <Owned connectionId={own[0].id} symbol={asset.symbol} />}
          </dl>
          <p className={classes.links}>
            {asset.links.map(({ title, url }) => (
              <Anchor key={url} href={url} target="_blank" rel="noreferrer" inherit>
                {title}
              </Anchor>
            ))}
          </p>
        </section>
        <section className={classes.panel} aria-labelledby="book">
          <h2 id="book">Order book</h2>
          <OrderBook asset={id} isLive={isLive} onPick={setPicked} />
        </section>
      </div>
      {!is_guest && (
        <>
          <h2 className={trading.heading}>{`Your orders of ${asset.symbol}`}</h2>
          <OrderList search={{ symbol: asset.market.symbol }} />
        </>
      )}
    </Page>
  );
}

function Owned({ connectionId, symbol }: { connectionId: string; symbol: string }) {
  const { data } = useQuery(balanceQuery(connectionId));
  const entry = data?.entries.find(({ asset }) => asset === symbol);
  const all = entry ? String(Number(entry.free) + Number(entry.used)) : '0';
  return <Figure name="You own">{`${amountWords(all)} ${symbol}`}</Figure>;
}
