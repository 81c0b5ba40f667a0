import type { RawEndpoint } from './endpoint.ts';
import type { Intersection } from './intersection.ts';
import type { TopicContract } from './topic.ts';

type Topics = Record<string, TopicContract>;

/** A feature's part of the contract: what it answers over HTTP and which topics it has. */
interface FeatureContract<Endpoints, RawEndpoints, OwnTopics> {
  endpoints?: Endpoints;
  rawEndpoints?: RawEndpoints;
  topics?: OwnTopics;
}

// biome-ignore lint/complexity/noBannedTypes: a part that is missing adds nothing
type Nothing = {};

export const defineContract = <
  Endpoints extends object = Nothing,
  RawEndpoints extends Record<string, RawEndpoint> = Nothing,
  OwnTopics extends Topics = Nothing,
>({
  endpoints,
  rawEndpoints,
  topics,
}: FeatureContract<Endpoints, RawEndpoints, OwnTopics>) => ({
  endpoints: (endpoints ?? {}) as Endpoints,
  rawEndpoints: (rawEndpoints ?? {}) as RawEndpoints,
  topics: (topics ?? {}) as OwnTopics,
});

type Features = Record<string, { endpoints: object; rawEndpoints: Record<string, RawEndpoint>; topics: Topics }>;
type PartOf<All extends Features, Part extends 'endpoints' | 'rawEndpoints'> = {
  [Name in keyof All as keyof All[Name][Part] extends never ? never : Name]: All[Name][Part];
};
const partOf = <All extends Features, Part extends 'endpoints' | 'rawEndpoints'>(features: All, part: Part) =>
  Object.fromEntries(
    Object.entries(features).flatMap(([name, each]) =>
      Object.keys(each[part]).length > 0 ? [[name, each[part]]] : [],
    ),
  ) as PartOf<All, Part>;

export const joinEndpoints = <All extends Features>(features: All) => partOf(features, 'endpoints');
export const joinRawEndpoints = <All extends Features>(features: All) => partOf(features, 'rawEndpoints');

export const joinTopics = <All extends Features>(features: All) =>
  Object.assign({}, ...Object.values(features).map(({ topics }) => topics)) as Intersection<All[keyof All]['topics']>;
