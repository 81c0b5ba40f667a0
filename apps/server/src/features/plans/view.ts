import { planFeatures, type RatePlan, tierResources } from '@atoll/contract';
import type { RatePlanRow } from './table.ts';

const seconds = (hours: number | null) => (hours === null ? null : hours * 3_600);

export function ratePlanView(row: RatePlanRow): RatePlan {
  const { cores, memoryBytes } = tierResources[row.tier];
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    max_number_of_projects: row.maxProjects,
    max_execution_time: seconds(row.executionHours),
    longest_run: seconds(row.longestRunHours),
    tier: row.tier,
    cores,
    memory_bytes: memoryBytes,
    highlighted: row.isHighlighted,
    price: row.price,
    annual_price: row.annualPrice,
    details: row.details,
    features: planFeatures.filter((name) => row.features[name] !== false),
    roles: row.roleIds,
    is_withdrawn: row.withdrawnAt !== null,
  };
}
