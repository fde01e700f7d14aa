import { after, NOW, statement } from './statement.js'

export const loadCursor = statement(
  'cursor.load',
  'SELECT position FROM tonplug.cursors WHERE name = $1::text',
)

/** True for a cursor whose lease is free, expired, or held by `holder`. */
const isAvailable = (holder: string): string =>
  `(standing.holder IS NULL OR standing.holder = ${holder} OR standing.leased_until <= ${NOW})`

/** For a run without the lease. $3 is the process that saves. */
export const saveCursor = statement(
  'cursor.save',
  `INSERT INTO tonplug.cursors AS standing (name, position) VALUES ($1::text, $2::text)
  ON CONFLICT (name) DO UPDATE SET position = EXCLUDED.position
    WHERE ${isAvailable('$3::text')}`,
)

/** An expired lease is held until another process acquires it. $3 is the holder. */
export const saveCursorAsHolder = statement(
  'cursor.saveAsHolder',
  `UPDATE tonplug.cursors SET position = $2::text
  WHERE name = $1::text AND holder = $3::text`,
)

/** $2 is the holder, $3 the duration of the lease. */
export const acquireCursor = statement(
  'cursor.acquire',
  `INSERT INTO tonplug.cursors AS standing (name, holder, leased_until)
  VALUES ($1::text, $2::text, ${after('$3')})
  ON CONFLICT (name) DO UPDATE
    SET holder = EXCLUDED.holder, leased_until = EXCLUDED.leased_until
    WHERE ${isAvailable('EXCLUDED.holder')}
  RETURNING name`,
)

export const releaseCursor = statement(
  'cursor.release',
  `UPDATE tonplug.cursors SET holder = NULL, leased_until = NULL
  WHERE name = $1::text AND holder = $2::text`,
)
