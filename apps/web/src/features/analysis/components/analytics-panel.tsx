import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import type { PanelProps } from '../../../platform/features/panel.ts';
import { Figure } from '../../../ui/lists/figure.tsx';
import { lineOf } from '../line.ts';
import { analyticsQuery, type Group, inheritanceQuery, provenanceQuery } from '../queries.ts';
import classes from './analytics.module.css';

const groups = [
  { value: 'day', label: '30 days' },
  { value: 'week', label: '12 weeks' },
  { value: 'month', label: '12 months' },
];
const counts = ['views', 'clones', 'runs', 'shares'] as const;
type Count = (typeof counts)[number];
const labels: Record<Count, string> = { views: 'Views', clones: 'Clones', runs: 'Runs', shares: 'Shares' };
const size = { width: 300, height: 90 };

/** How a project is used, and what it is related to. */
export function AnalyticsPanel({ project }: PanelProps) {
  const [group, setGroup] = useState<Group>('day');
  const [count, setCount] = useState<Count>('views');
  const { data, error } = useQuery(analyticsQuery(project.id, group));
  return (
    <div className={classes.panel}>
      <h3>Analytics</h3>
      <SegmentedControl
        aria-label="Range"
        size="xs"
        data={groups}
        value={group}
        onChange={(value) => setGroup(value as Group)}
      />
      <SegmentedControl
        aria-label="Count"
        size="xs"
        data={counts.map((value) => ({ value, label: labels[value] }))}
        value={count}
        onChange={(value) => setCount(value as Count)}
      />
      {error && <p role="alert">{messageOf(error)}</p>}
      {!data && !error && <Skeleton height={120} />}
      {data && (
        <>
          <LineChart
            label={`${labels[count]} from ${data.from} to ${data.to}: ${data.totals[count]}`}
            values={data.entries.map((entry) => entry[count])}
            from={data.from}
            to={data.to}
          />
          <dl className={classes.totals}>
            {counts.map((each) => (
              <Figure key={each} name={labels[each]}>
                {data.totals[each]}
              </Figure>
            ))}
            <Figure name="Views of publications">{data.totals.publication_views}</Figure>
          </dl>
        </>
      )}
      <Relatives project={project} />
    </div>
  );
}

function LineChart({ label, values, from, to }: { label: string; values: number[]; from: string; to: string }) {
  const { points, top } = lineOf(values, size.width, size.height);
  return (
    <div>
      <span className={classes.scale}>{top}</span>
      <svg className={classes.chart} viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={label}>
        <title>{label}</title>
        <line x1="0" x2={size.width} y1={size.height} y2={size.height} />
        <polyline points={points} />
      </svg>
      <span className={classes.scale}>
        <span>{from}</span>
        <span>{to}</span>
      </span>
    </div>
  );
}

/** From the first project it comes from, over this one, to its clones. */
function Relatives({ project }: { project: ProjectDetail }) {
  const { data: provenance } = useQuery(provenanceQuery(project.id));
  const { data: inheritance } = useQuery(inheritanceQuery(project.id));
  if (!provenance || !inheritance) return null;
  const parents = provenance.entries.toReversed();
  const indent = (depth: number) => ({ marginLeft: depth * 12 });
  return (
    <section aria-label="Related projects">
      <h3>Related projects</h3>
      <ul className={classes.tree}>
        {parents.map(({ depth, project: parent }, index) => (
          <li key={depth} style={indent(index)}>
            {parent ? <RelatedLink {...parent} /> : <span className={classes.muted}>A private project</span>}
          </li>
        ))}
        <li aria-current="true" style={indent(parents.length)}>
          {project.name}
        </li>
        {inheritance.entries.map(({ depth, project: clone }) => (
          <li key={clone.id} style={indent(parents.length + depth)}>
            <RelatedLink {...clone} />
          </li>
        ))}
      </ul>
      {inheritance.hidden_count > 0 && (
        <p className={classes.muted}>
          {inheritance.hidden_count === 1 ? '1 private clone' : `${inheritance.hidden_count} private clones`}
        </p>
      )}
    </section>
  );
}

const RelatedLink = ({ id, name }: { id: string; name: string }) => (
  <Link to="/projects/$projectId" params={{ projectId: id }}>
    {name}
  </Link>
);
