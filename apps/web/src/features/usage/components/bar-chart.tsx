import type { UsageSummary } from '@atoll/contract/kernels/entity';
import { timeInWords } from '@atoll/contract/quota/words';
import { VisuallyHidden } from '@mantine/core';
import { barsOf } from '../model.ts';
import classes from './usage.module.css';

const height = 120;
const width = 900;
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayWords = (day: string) => date.format(new Date(day));

/** One bar for each day; who cannot see it has the table behind it. */
export function BarChart({ days }: { days: UsageSummary['days'] }) {
  const step = width / Math.max(days.length, 1);
  const gap = Math.min(step * 0.25, 4);
  const bars = barsOf(
    days.map(({ seconds }) => seconds),
    height,
  );
  const most = Math.max(...days.map(({ seconds }) => seconds), 0);
  if (most === 0) return <p className={classes.note}>No execution time was used.</p>;
  return (
    <figure className={classes.chart}>
      <figcaption>Most on one day: {timeInWords(most)}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
        <title>Execution time by day</title>
        {days.map(({ date: day, seconds }, index) => (
          <g key={day}>
            <rect className={classes.slot} x={index * step} y={0} width={step} height={height}>
              <title>{`${dayWords(day)}: ${timeInWords(seconds)}`}</title>
            </rect>
            <rect
              className={classes.bar}
              x={index * step + gap / 2}
              y={height - (bars[index] ?? 0)}
              width={step - gap}
              height={bars[index] ?? 0}
            />
          </g>
        ))}
        <line x1="0" x2={width} y1={height} y2={height} />
      </svg>
      <div className={classes.scale} aria-hidden>
        <span>{dayWords(days[0]?.date ?? '')}</span>
        <span>{dayWords(days.at(-1)?.date ?? '')}</span>
      </div>
      <VisuallyHidden component="div">
        <table>
          <caption>Execution time by day</caption>
          <tbody>
            {days
              .filter(({ seconds }) => seconds > 0)
              .map(({ date: day, seconds }) => (
                <tr key={day}>
                  <th scope="row">{dayWords(day)}</th>
                  <td>{timeInWords(seconds)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}
