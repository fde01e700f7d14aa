import { statement } from './statement.js'

export const loadCursor = statement(
  'cursor.load',
  'SELECT position FROM tonplug.cursors WHERE name = $1::text',
)

export const saveCursor = statement(
  'cursor.save',
  `INSERT INTO tonplug.cursors (name, position) VALUES ($1::text, $2::text)
  ON CONFLICT (name) DO UPDATE SET position = EXCLUDED.position`,
)
