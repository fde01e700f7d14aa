import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Creates the shop's tables. tonplug creates its own in the schema `tonplug`. */
export class CreateTables1767614400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE orders (
        reference   text PRIMARY KEY,
        item        text NOT NULL,
        raw_amount  numeric(78, 0) NOT NULL CHECK (raw_amount > 0),
        asset       text NOT NULL,
        recipient   text,
        body_base64_hash text,
        status      text NOT NULL
                    CHECK (status IN ('pending', 'failed', 'expired', 'cancelled', 'completed')),
        created_at  timestamptz(3) NOT NULL,
        payment     jsonb,
        failure     jsonb
      );
      CREATE INDEX open_orders ON orders (created_at)
        WHERE status IN ('pending', 'failed', 'expired');
      CREATE INDEX orders_by_body ON orders (body_base64_hash) WHERE body_base64_hash IS NOT NULL;
      CREATE TABLE parcels (key text PRIMARY KEY, reference text NOT NULL)`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE parcels, orders')
  }
}
