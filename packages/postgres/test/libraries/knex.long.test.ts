import knexOf, { type Knex } from 'knex'
import { fromKnex } from '../../src/executors/from-knex.js'
import { describeLibrary } from './describe-library.js'
import { CONNECTIONS, type OpenLibrary } from './library.js'

describeLibrary('Knex', openKnex)

/** With a function that changes results, as Objection's `knexSnakeCaseMappers` does. */
async function openKnex(url: string): Promise<OpenLibrary> {
  const knex: Knex = knexOf({
    client: 'pg',
    connection: url,
    pool: { max: CONNECTIONS },
    postProcessResponse: () => 'changed',
  })
  return {
    db: fromKnex(knex),
    inTransaction: (work) => knex.transaction((tx) => work(fromKnex(tx))),
    close: () => knex.destroy(),
  }
}
