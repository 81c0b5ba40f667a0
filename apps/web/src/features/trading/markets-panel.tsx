import { useQuery } from '@tanstack/react-query';
import { LinkButton, TextLink } from '../../ui/links.tsx';
import { Panel } from '../../ui/page.tsx';
import classes from './components/trading.module.css';
import { useLivePrices } from './live.ts';
import { changeWords, priceWords } from './model.ts';
import { assetsQuery } from './queries.ts';

const shown = 6;

/** The largest markets of the demo, or those one has marked; on the landing page of the variant that is about trading. */
export function MarketsPanel() {
  const isLive = useLivePrices('demo');
  const { data } = useQuery(assetsQuery('demo', '', isLive));
  if (!data) return null;
  const favorites = data.entries.filter(({ is_favorite }) => is_favorite);
  const entries = [...favorites, ...data.entries.filter(({ is_favorite }) => !is_favorite)].slice(0, shown);
  return (
    <Panel
      title="Markets"
      aside={
        <LinkButton to="/exchanges" search={{ tab: 'markets' }} variant="default" size="xs">
          All markets
        </LinkButton>
      }
    >
      <table className={classes.table} data-brief>
        <tbody>
          {entries.map((asset) => (
            <tr key={asset.id}>
              <th scope="row">
                <TextLink to="/tokens/$id" params={{ id: asset.id }} c="inherit" underline="hover">
                  {asset.symbol} <span className={classes.dim}>{asset.name}</span>
                </TextLink>
              </th>
              <td>{priceWords(asset.price)}</td>
              <td data-direction={(asset.change ?? 0) < 0 ? 'down' : 'up'}>{changeWords(asset.change)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
