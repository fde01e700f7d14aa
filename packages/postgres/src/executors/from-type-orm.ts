import { ConfigurationError } from '@tonplug/core'
import type { Queryable } from '../queryable.js'
import { rememberQueryable } from './remember.js'

/** A `QueryRunner` of TypeORM. */
export interface QueryRunnerLike {
  query(text: string, values: unknown[], useStructuredResult: true): Promise<{ records: unknown[] }>
  release(): Promise<void>
}

/** A `DataSource` of TypeORM, or the `EntityManager` of a transaction. */
export type TypeOrmLike =
  { createQueryRunner(): QueryRunnerLike } | { readonly queryRunner?: QueryRunnerLike | undefined }

/**
 * Runs SQL with TypeORM: on a connection of the data source, or in the transaction of an entity manager.
 * @throws {ConfigurationError} for an entity manager without a transaction; pass its data source.
 * @example
 * const orders = mappedOrderRepository(fromTypeOrm(dataSource), mapping)
 */
export function fromTypeOrm(typeOrm: TypeOrmLike): Queryable {
  const expected = 'a DataSource of TypeORM, or the EntityManager of a transaction'
  return rememberQueryable(typeOrm, { method: 'query', expected }, () => {
    if ('createQueryRunner' in typeOrm) return { query: (...query) => runOnAny(typeOrm, ...query) }
    const { queryRunner } = typeOrm
    if (queryRunner === undefined) {
      throw new ConfigurationError({ option: 'db', problem: `must be ${expected}` })
    }
    return { query: (...query) => runOn(queryRunner, ...query) }
  })
}

async function runOnAny(
  source: { createQueryRunner(): QueryRunnerLike },
  text: string,
  values?: (string | null)[],
): Promise<{ rows: unknown[] }> {
  const runner = source.createQueryRunner()
  try {
    return await runOn(runner, text, values)
  } finally {
    await runner.release()
  }
}

/** An unstructured result of an UPDATE is the rows and their number in one array. */
async function runOn(
  runner: QueryRunnerLike,
  text: string,
  values: (string | null)[] = [],
): Promise<{ rows: unknown[] }> {
  const { records } = await runner.query(text, values, true)
  return { rows: records }
}
