/** All members of a union at once: how the parts of many features become one type. */
export type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  each: infer All,
) => void
  ? All
  : never;
