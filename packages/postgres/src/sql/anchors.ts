import { statement } from './statement.js'

/** $1 is the network. */
export const loadAnchor = statement(
  'anchor.load',
  `SELECT seqno::text, encode(root_hash, 'hex') AS root_hash, encode(file_hash, 'hex') AS file_hash
  FROM tonplug.anchors WHERE global_id = $1::text::integer`,
)

/** Never replaces a newer block. */
export const saveAnchor = statement(
  'anchor.save',
  `INSERT INTO tonplug.anchors AS standing (global_id, seqno, root_hash, file_hash)
  VALUES ($1::text::integer, $2::text::bigint, decode($3::text, 'hex'), decode($4::text, 'hex'))
  ON CONFLICT (global_id) DO UPDATE
    SET seqno = EXCLUDED.seqno, root_hash = EXCLUDED.root_hash, file_hash = EXCLUDED.file_hash
    WHERE standing.seqno < EXCLUDED.seqno`,
)
