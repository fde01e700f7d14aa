import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

/** Sends parcels, one per idempotency key. Pass the key to a real carrier. */
@Injectable()
export class Parcels {
  constructor(private readonly source: DataSource) {}

  /** Sends nothing if the key was used before. */
  async send(reference: string, key: string): Promise<void> {
    await this.source.query(
      'INSERT INTO parcels (key, reference) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING',
      [key, reference],
    )
  }

  async count(reference: string): Promise<number> {
    const text = 'SELECT count(*)::integer AS count FROM parcels WHERE reference = $1'
    const [row] = await this.source.query<{ count: number }[]>(text, [reference])
    return row?.count ?? 0
  }
}
