import { z } from 'zod';
import { type DenialReason, denialReasons, errorText } from './errors.ts';
import type { Platform } from './platforms.ts';

/** Feature flags by name (spec section 6): on unless listed as off. */
export const featureNames = [
  'ai',
  'bi',
  'analysis',
  'canvas',
  'connections',
  'datasets',
  'environments',
  'excel',
  'export',
  'git',
  'gpu',
  'input_cells',
  'isle',
  'kernels',
  'pasa',
  'pipeline',
  'publish',
  'publish_globally',
  'referrals',
  'reports_only',
  'apps_only',
  'schedule',
  'strategies',
  'trade',
  'versions',
  'chat',
  'agent',
  'deploy',
  'projects',
  'teams',
  'publications',
  'portfolios',
  'exchanges',
  'wallet',
  'newsroom',
  'documentation',
  'automation',
  'notifications',
  'code_commenting',
  'rating',
  'ethereum_ide',
  'execute_main_file',
  'execute_with_parameters',
  'custom_global_github_token',
  'collaboration_connections',
  'execution_connections',
  'container_connections',
] as const;
export type FeatureName = (typeof featureNames)[number];

/** Parts that this version does not have: no setting turns them on. */
export const unbuiltFeatures: ReadonlySet<FeatureName> = new Set([
  'agent',
  'apps_only',
  'bi',
  'chat',
  'code_commenting',
  'collaboration_connections',
  'connections',
  'container_connections',
  'custom_global_github_token',
  'datasets',
  'deploy',
  'documentation',
  'environments',
  'ethereum_ide',
  'execute_main_file',
  'execution_connections',
  'git',
  'gpu',
  'isle',
  'newsroom',
  'pasa',
  'pipeline',
  'rating',
]);

/** What is off as a whole with what it is a part of. */
const partOf: Partial<Record<FeatureName, FeatureName>> = { schedule: 'automation', canvas: 'projects' };

/** What is left of the product where only reports are on. */
export const featuresOfReports: ReadonlySet<FeatureName> = new Set([
  'reports_only',
  'publications',
  'notifications',
  'export',
]);

/** The first narrows the whole product to one area, and a product starts out whole; the specification has the other one off. */
const offByDefault: ReadonlySet<FeatureName> = new Set(['reports_only', 'execute_with_parameters']);

export const isFeatureOnByDefault = (name: FeatureName): boolean =>
  !offByDefault.has(name) && !unbuiltFeatures.has(name);

/** What a plan can include, or not. */
export const planFeatures: readonly FeatureName[] = featureNames.filter(isFeatureOnByDefault);

export type FeatureOverrides = Partial<Record<FeatureName, boolean>>;

/** What a variant changes about the defaults. */
export const platformFeatures: Record<Platform, FeatureOverrides> = {
  atoll: {},
  crypto: { excel: false },
  dpasa: { trade: false, exchanges: false, portfolios: false, strategies: false, wallet: false },
};

export const featureState = z.object({
  enabled: z.boolean(),
  reason: z.enum(denialReasons).nullable(),
  message: z.string().nullable().optional().describe('The text for people who lack it'),
});
export type FeatureState = z.infer<typeof featureState>;
export const featureStates = z.record(z.enum(featureNames), featureState);

/** What admins have set for everybody; roles and single people come on top. */
export type InstallationFeatures = Partial<Record<FeatureName, { enabled: boolean; message: string | null }>>;

export interface FeatureInputs {
  platform: Platform;
  /** What the plan takes away. */
  plan: FeatureOverrides;
  isAdmin: boolean;
  /** What was set for this user alone; it wins over roles and plan. */
  person: FeatureOverrides;
  /** Overrides of each role the user has; a role that grants wins over one that denies. */
  roles: FeatureOverrides[];
  installation: InstallationFeatures;
  /** The installation lacks it or has it switched off in its configuration; no role or plan overrides that. */
  configuration: FeatureOverrides;
}

/** Decides every flag for one person, with the reason for each that is off. */
export function resolveFeatures(inputs: FeatureInputs): Record<FeatureName, FeatureState> {
  return Object.fromEntries(featureNames.map((name) => [name, resolveFeature(name, inputs)])) as Record<
    FeatureName,
    FeatureState
  >;
}

const unbuiltMessage = 'This is not part of this version.';

/** Decides one flag. */
export function resolveFeature(name: FeatureName, inputs: FeatureInputs): FeatureState {
  const { enabled, source } = explainFeature(name, inputs);
  if (enabled) return { enabled, reason: null };
  const unbuilt = name === 'rating' ? errorText.ratingUnsupported : unbuiltMessage;
  const message = source === 'unbuilt' ? unbuilt : inputs.installation[name]?.message;
  const isOffForAll = source !== 'person' && source !== 'role' && source !== 'plan';
  const reason: DenialReason = isOffForAll ? 'disabled_in_configuration' : 'no_permissions';
  return { enabled, reason, ...(message && { message }) };
}

interface Explained {
  enabled: boolean;
  source: 'unbuilt' | 'reports_only' | 'configuration' | 'person' | 'role' | 'installation' | 'plan' | 'default';
  /** Which of the roles. */
  roleIndex?: number;
}

/** What decides a flag. */
export function explainFeature(name: FeatureName, inputs: FeatureInputs): Explained {
  if (unbuiltFeatures.has(name)) return { enabled: false, source: 'unbuilt' };
  if (!featuresOfReports.has(name) && explainFeature('reports_only', inputs).enabled)
    return { enabled: false, source: 'reports_only' };
  const whole = partOf[name];
  const explained = whole && explainFeature(whole, inputs);
  return explained && !explained.enabled ? explained : explainAlone(name, inputs);
}

function explainAlone(name: FeatureName, inputs: FeatureInputs): Explained {
  const configured = inputs.configuration[name];
  if (configured !== undefined) return { enabled: configured, source: 'configuration' };
  const own = inputs.person[name];
  if (own !== undefined) return { enabled: own, source: 'person' };
  const granting = inputs.roles.findIndex((role) => role[name] === true);
  if (granting >= 0) return { enabled: true, source: 'role', roleIndex: granting };
  const set = inputs.installation[name];
  const offered = set?.enabled ?? platformFeatures[inputs.platform][name] ?? isFeatureOnByDefault(name);
  const source = set ? 'installation' : 'default';
  if (!offered) return { enabled: false, source };
  const denying = inputs.roles.findIndex((role) => role[name] === false);
  if (denying >= 0) return { enabled: false, source: 'role', roleIndex: denying };
  if (!inputs.isAdmin && inputs.plan[name] === false) return { enabled: false, source: 'plan' };
  return { enabled: true, source };
}
