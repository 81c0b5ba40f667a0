import type { TableFilter } from '@atoll/contract';
import type { DuckDBValue } from '@duckdb/node-api';
import { TableProblem } from '../jobs.ts';
import { asText, type Column, columnNamed, type Table } from './columns.ts';
import type { DuckDb } from './duckdb.ts';

export interface Where {
  /** Empty, or begins with `where`. */
  sql: string;
  values: DuckDBValue[];
}

interface Wanted {
  filters: TableFilter[];
  search?: string;
}

const list = (value: TableFilter['value']): string[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/**
 * The conditions on rows. Values are bound and columns are our own names, so that no text of a person is in the statement.
 */
export async function whereOf(db: DuckDb, table: Table, { filters, search }: Wanted): Promise<Where> {
  const conditions: string[] = [];
  const values: DuckDBValue[] = [];
  for (const [index, filter] of filters.entries()) {
    const column = columnNamed(table, filter.column, `filters.${index}.column`);
    const operands: string[] = [];
    for (const value of list(filter.value)) {
      const type = filter.operator === 'contains' ? 'varchar' : await operandType(db, column, value, index);
      operands.push(`cast(? as ${type})`);
      values.push(value);
    }
    conditions.push(conditionOf(filter.operator, column, operands));
  }
  if (search) {
    const parts = table.columns.map((column) => `contains(lower(${asText(column)}), lower(?))`);
    conditions.push(parts.join(' or ') || 'false');
    values.push(...parts.map(() => search));
  }
  return { sql: conditions.length ? `where (${conditions.join(') and (')})` : '', values };
}

function conditionOf(operator: TableFilter['operator'], column: Column, operands: string[]): string {
  const [first = 'null', second = 'null'] = operands;
  const value = column.kind === 'text' || column.kind === 'other' ? asText(column) : column.sql;
  switch (operator) {
    case 'equals':
      return `${value} = ${first}`;
    case 'not_equals':
      return `${value} is distinct from ${first}`;
    case 'contains':
      return `contains(lower(${asText(column)}), lower(${first}))`;
    case 'greater':
      return `${value} > ${first}`;
    case 'less':
      return `${value} < ${first}`;
    case 'between':
      return `${value} between ${first} and ${second}`;
    case 'one_of':
      return `${value} in (${operands.join(', ')})`;
    case 'is_empty':
      return column.kind === 'text' ? `${value} is null or ${value} = ''` : `${column.sql} is null`;
    case 'is_not_empty':
      return column.kind === 'text' ? `${value} <> ''` : `${column.sql} is not null`;
  }
}

/** The type as which a value is compared with the column; refuses a value that does not fit. */
async function operandType(db: DuckDb, column: Column, value: string, index: number): Promise<string> {
  const refuse = (what: string) =>
    new TableProblem({ reason: 'invalid', field: `filters.${index}.value`, message: `Must be ${what}` });
  switch (column.kind) {
    case 'number':
      // Whole numbers keep all their digits; a double would make two long ones equal.
      if (/^[+-]?\d{1,38}$/.test(value.trim())) return column.type.endsWith(',0)') ? 'decimal(38, 0)' : 'hugeint';
      if (value.trim() === '' || Number.isNaN(Number(value))) throw refuse('a number');
      return 'double';
    case 'boolean':
      if (!/^(true|false)$/i.test(value)) throw refuse('true or false');
      return 'boolean';
    case 'time': {
      const type = /^TIME($| )/.test(column.type) ? 'time' : 'timestamp';
      const [row] = await db.run(`select try_cast(? as ${type}) is null`, [value]);
      if (row?.[0] !== false) throw refuse(type === 'time' ? 'a time of day' : 'a date, such as 2026-11-15');
      return type;
    }
    default:
      return 'varchar';
  }
}
