/** The tools that can run a migration of tonplug. */
export const MIGRATION_FORMATS = ['sql', 'drizzle', 'typeorm', 'knex'] as const

export type MigrationFormat = (typeof MIGRATION_FORMATS)[number]

/** A migration to write. */
export interface Migration {
  /** The statement, without a semicolon at its end. */
  sql: string
  /** Version of the tables afterwards. */
  version: number
  createdAt: Date
}

const NO_WAY_BACK =
  'The tables of tonplug contain payments, so this migration cannot be reverted. Delete the schema tonplug yourself if it is not needed anymore.'

/** Returns the file of a migration. */
export function migrationText(format: MigrationFormat, migration: Migration): string {
  switch (format) {
    case 'sql':
    case 'drizzle':
      return `-- The tables of tonplug, version ${migration.version}.\n${migration.sql};\n`
    case 'typeorm':
      return typeOrmText(migration)
    case 'knex':
      return knexText(migration)
  }
}

/** Returns the name of a file in a folder of migrations, which determines its position. */
export function migrationName(format: 'typeorm' | 'knex', migration: Migration): string {
  const { version, createdAt } = migration
  if (format === 'typeorm') return `${createdAt.getTime()}-tonplug-${version}.ts`
  const digits = createdAt.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return `${digits}_tonplug_${version}.cjs`
}

/** TypeORM reads the position from the digits at the end of the name. */
function typeOrmText({ sql, version, createdAt }: Migration): string {
  const name = `TonplugVersion${version}At${createdAt.getTime()}`
  return `import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The tables of tonplug, version ${version}. */
export class ${name} implements MigrationInterface {
  name = '${name}'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(${template(sql)})
  }

  down(): Promise<void> {
    return Promise.reject(new Error('${NO_WAY_BACK}'))
  }
}
`
}

/** CommonJS, which Knex loads in every project. In `raw` a question mark is a parameter. */
function knexText({ sql, version }: Migration): string {
  return `// The tables of tonplug, version ${version}.
exports.up = (knex) => knex.raw(${template(sql.replaceAll('?', String.raw`\?`))})

exports.down = () => Promise.reject(new Error('${NO_WAY_BACK}'))
`
}

/** Returns a template literal with this text. */
function template(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`)}\``
}
