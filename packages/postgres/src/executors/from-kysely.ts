import type { Queryable } from '../queryable.js'
import { rememberQueryable } from './remember.js'

/** A `CompiledQuery` of Kysely, as its `CompiledQuery.raw` creates it. */
export interface RawKyselyQuery {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly query: {
    readonly kind: 'RawNode'
    readonly sqlFragments: readonly string[]
    readonly parameters: readonly []
  }
  readonly queryId: { readonly queryId: string }
}

/** A `Kysely` or a transaction of it. */
export interface KyselyLike {
  withoutPlugins(): { executeQuery(query: RawKyselyQuery): Promise<{ rows: unknown[] }> }
}

/**
 * Runs SQL with Kysely: on a connection of its pool, or in the given transaction. Without its plugins, which may rename
 * columns.
 * @example
 * const orders = mappedOrderRepository(fromKysely(db), mapping)
 */
export function fromKysely(db: KyselyLike): Queryable {
  return rememberQueryable(
    db,
    { method: 'withoutPlugins', expected: 'a Kysely or a transaction of it' },
    () => ({
      query: (text, parameters = []) =>
        db.withoutPlugins().executeQuery({
          sql: text,
          parameters,
          query: { kind: 'RawNode', sqlFragments: [text], parameters: [] },
          queryId: { queryId: 'tonplug' },
        }),
    }),
  )
}
