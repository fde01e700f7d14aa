import { after, NOW, statement } from './statement.js'

export const loadCursor = statement(
  'cursor.load',
  'SELECT position FROM tonplug.cursors WHERE name = $1::text',
)

export const saveCursor = statement(
  'cursor.save',
  `INSERT INTO tonplug.cursors (name, position) VALUES ($1::text, $2::text)
  ON CONFLICT (name) DO UPDATE SET position = EXCLUDED.position`,
)

/** $2 is the holder, $3 the duration of the lease. */
export const acquireCursor = statement(
  'cursor.acquire',
  `INSERT INTO tonplug.cursors AS standing (name, holder, leased_until)
  VALUES ($1::text, $2::text, ${after('$3')})
  ON CONFLICT (name) DO UPDATE
    SET holder = EXCLUDED.holder, leased_until = EXCLUDED.leased_until
    WHERE standing.holder IS NULL OR standing.holder = EXCLUDED.holder
      OR standing.leased_until <= ${NOW}
  RETURNING name`,
)

export const releaseCursor = statement(
  'cursor.release',
  `UPDATE tonplug.cursors SET holder = NULL, leased_until = NULL
  WHERE name = $1::text AND holder = $2::text`,
)
