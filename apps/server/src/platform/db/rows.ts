/** What a statement in plain SQL answered, in the shape that its author knows it has. */
export const rowsOf = <Row = unknown>(answer: unknown): Row[] => (answer as { rows: Row[] }).rows;
