/** The rows that a statement in plain SQL returned, in the shape that its author knows. */
export const rowsOf = <Row = unknown>(answer: unknown): Row[] => (answer as { rows: Row[] }).rows;
