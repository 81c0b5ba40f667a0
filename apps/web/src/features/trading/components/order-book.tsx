import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { amountWords, priceWords } from '../model.ts';
import { bookQuery } from '../queries.ts';
import classes from './token.module.css';

interface OrderBookProps {
  asset: string;
  isLive: boolean | null;
  onPick(price: string): void;
}

/** What others offer: sellers above, buyers below, each as wide as it is large. */
export function OrderBook({ asset, isLive, onPick }: OrderBookProps) {
  const { data } = useQuery(bookQuery(asset, isLive));
  if (!data) return <Skeleton height={300} />;
  const largest = Math.max(...[...data.bids, ...data.asks].map(({ amount }) => Number(amount)));
  const rows = (levels: { price: string; amount: string }[], side: 'ask' | 'bid') =>
    levels.map(({ price, amount }) => (
      <li key={price}>
        <button
          type="button"
          className={classes.level}
          data-side={side}
          style={{ '--share': Number(amount) / largest } as React.CSSProperties}
          aria-label={`${side === 'ask' ? 'Asked' : 'Bid'}: ${price}, ${amount}`}
          onClick={() => onPick(price)}
        >
          <span>{priceWords(price)}</span>
          <span>{amountWords(amount)}</span>
        </button>
      </li>
    ));
  return (
    <ol className={classes.book} aria-label="Order book">
      {rows([...data.asks].reverse(), 'ask')}
      {rows(data.bids, 'bid')}
    </ol>
  );
}
