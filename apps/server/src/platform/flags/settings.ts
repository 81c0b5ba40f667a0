import type { FeatureInputs, InstallationFeatures } from '@atoll/contract';
import type { Actor } from '../actor.ts';
import { appState } from '../app-state.ts';
import type { Context } from '../context.ts';
import { flagSettings } from './table.ts';

const reloadMs = 2_000;

/** Every request needs the settings, so they are kept in memory; changes by another server are loaded soon after. */
class FlagSettings {
  readonly #ctx: Context;
  current: InstallationFeatures = {};

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  async load(): Promise<void> {
    const rows = await this.#ctx.db.select().from(flagSettings);
    this.current = Object.fromEntries(
      rows.map(({ name, isEnabled, message }) => [name, { enabled: isEnabled, message }]),
    );
  }

  /** Returns a function that stops the reloading. */
  async start(): Promise<() => void> {
    await this.load();
    const timer = setInterval(() => {
      this.load().catch((error: unknown) => this.#ctx.log.error({ error }, 'Feature flags could not be read'));
    }, reloadMs);
    timer.unref();
    return () => clearInterval(timer);
  }
}

export const flagSettingsOf = appState((system) => new FlagSettings(system));

/** Collects the inputs that decide a person's flags. */
export const flagInputs = (
  ctx: Pick<Context, 'config' | 'state'>,
  person: Pick<Actor, 'isAdmin' | 'planFeatures' | 'overrides' | 'roleOverrides'>,
): FeatureInputs => ({
  platform: ctx.config.platform,
  plan: person.planFeatures,
  isAdmin: person.isAdmin,
  person: person.overrides,
  roles: person.roleOverrides,
  installation: flagSettingsOf(ctx).current,
  configuration: ctx.config.features,
});
