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
export { postgresMigrationSql } from './migration-sql.js'
export { openDatabase, type OpenDatabase, type OpenDatabaseOptions } from './open-database.js'
export type { PostgresOrder } from './order-rows.js'
export { postgresCursor, type PostgresCursorOptions } from './postgres-cursor.js'
export { postgresInbox, type PostgresInboxOptions } from './postgres-inbox.js'
export {
  pgBossQueue,
  type PgBossJob,
  type PgBossLike,
  type PgBossNewJob,
  type PgBossQueueOptions,
  type PgBossTaskQueueOptions,
  type PgBossWorkOptions,
} from './pg-boss-queue.js'
export {
  postgresOrderRepository,
  type NewPostgresOrder,
  type PostgresOrderRepository,
  type PostgresOrderRepositoryOptions,
} from './postgres-order-repository.js'
export type { Queryable } from './queryable.js'
export type { InboxEntryState } from './sql/reader.js'
