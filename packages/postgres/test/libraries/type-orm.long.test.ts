import { DataSource } from 'typeorm'
import { fromTypeOrm } from '../../src/executors/from-type-orm.js'
import { describeLibrary } from './describe-library.js'
import { CONNECTIONS, type OpenLibrary } from './library.js'

describeLibrary('TypeORM', openTypeOrm)

async function openTypeOrm(url: string): Promise<OpenLibrary> {
  const source = new DataSource({ type: 'postgres', url, poolSize: CONNECTIONS })
  await source.initialize()
  return {
    db: fromTypeOrm(source),
    inTransaction: (work) => source.transaction((manager) => work(fromTypeOrm(manager))),
    close: () => source.destroy(),
  }
}
