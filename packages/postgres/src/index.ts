export {
  postgresInboxReader,
  type DeadInboxHandler,
  type DeadInboxHandlerQuery,
  type InboxEntry,
  type InboxEntryQuery,
  type InboxHandler,
  type InboxReader,
} from './inbox-reader.js'
export { type OrderTransaction, type WithTransaction } from './join-by-transaction.js'
export { migratePostgres } from './migrate-postgres.js'
export { postgresMigrationSql } from './migration-sql.js'
export { openDatabase, type OpenDatabase, type OpenDatabaseOptions } from './open-database.js'
export type { PostgresOrder } from './order-rows.js'
export { postgresCursor } from './postgres-cursor.js'
export { postgresInbox, type PostgresInboxOptions } from './postgres-inbox.js'
export {
  pgBossJobQueue,
  type PgBossLike,
  type PgBossQueueOptions,
  type PgBossSendOptions,
  type PgBossWorkOptions,
} from './pg-boss-job-queue.js'
export {
  postgresOrderRepository,
  type NewPostgresOrder,
  type PostgresOrderRepository,
} from './postgres-order-repository.js'
export type { Queryable } from './queryable.js'
export type { InboxEntryState } from './sql/reader.js'
