export { fromDrizzle, type DrizzleLike, type DrizzleSql } from './executors/from-drizzle.js'
export { fromKnex, type KnexLike } from './executors/from-knex.js'
export { fromKysely, type KyselyLike, type RawKyselyQuery } from './executors/from-kysely.js'
export { fromMikroOrm, type MikroOrmLike } from './executors/from-mikro-orm.js'
export { fromPrisma, type PrismaLike } from './executors/from-prisma.js'
export { fromTypeOrm, type TypeOrmLike, type QueryRunnerLike } from './executors/from-type-orm.js'
export {
  postgresInboxReader,
  type DeadInboxHandler,
  type DeadInboxHandlerQuery,
  type InboxEntry,
  type InboxEntryQuery,
  type InboxFilter,
  type InboxHandler,
  type InboxReader,
} from './inbox-reader.js'
export { type OrderTransaction, type WithTransaction } from './join-by-transaction.js'
export { migratePostgres } from './migrate-postgres.js'
export { postgresMigrationSql, type PostgresMigrationSqlOptions } from './migration-sql.js'
export { openDatabase, type OpenDatabase, type OpenDatabaseOptions } from './open-database.js'
export type {
  AmountColumn,
  MappedOrderColumns,
  MappedOrderRepositoryOptions,
  MappedOrderStatuses,
  StatusValues,
} from './order-mapping.js'
export { postgresAnchors } from './postgres-anchors.js'
export { postgresCursor, type PostgresCursorOptions } from './postgres-cursor.js'
export { postgresInbox, type PostgresInboxOptions } from './postgres-inbox.js'
export {
  pgBossQueue,
  type PgBossJob,
  type PgBossJobState,
  type PgBossLike,
  type PgBossNewJob,
  type PgBossQueueOptions,
  type PgBossTaskQueueOptions,
  type PgBossWorkOptions,
} from './pg-boss-queue.js'
export {
  postgresOrderRepository,
  type NewPostgresOrder,
  type PostgresOrder,
  type PostgresOrderRepository,
  type PostgresOrderRepositoryOptions,
} from './postgres-order-repository.js'
export type { Queryable } from './queryable.js'
export {
  postgresSchemaStatus,
  postgresSchemaVersion,
  type PostgresSchemaProblem,
  type PostgresSchemaStatus,
} from './schema-status.js'
export { mappedOrderRepository, type MappedOrderRepository } from './mapped-order-repository.js'
export type { InboxEntryState } from './sql/inbox-reader.js'
