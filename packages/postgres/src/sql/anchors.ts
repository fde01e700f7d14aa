import { statement } from './statement.js'

/** $1 is the network. */
export const loadBlock = statement(
  'anchor.load_block',
  `SELECT seqno::text, encode(root_hash, 'hex') AS root_hash, encode(file_hash, 'hex') AS file_hash
  FROM tonplug.anchors WHERE global_id = $1::text::integer`,
)

/** Never replaces a newer block. */
export const saveBlock = statement(
  'anchor.save_block',
  `INSERT INTO tonplug.anchors AS standing (global_id, seqno, root_hash, file_hash)
  VALUES ($1::text::integer, $2::text::bigint, decode($3::text, 'hex'), decode($4::text, 'hex'))
  ON CONFLICT (global_id) DO UPDATE
    SET seqno = EXCLUDED.seqno, root_hash = EXCLUDED.root_hash, file_hash = EXCLUDED.file_hash
    WHERE standing.seqno < EXCLUDED.seqno`,
)

/** $1 is the network, $2 the account. */
export const loadTransaction = statement(
  'anchor.load_transaction',
  `SELECT lt::text, encode(hash, 'hex') AS hash
  FROM tonplug.proven_transactions WHERE global_id = $1::text::integer AND account = $2::text`,
)

/** Never replaces a newer transaction. */
export const saveTransaction = statement(
  'anchor.save_transaction',
  `INSERT INTO tonplug.proven_transactions AS standing (global_id, account, lt, hash)
  VALUES ($1::text::integer, $2::text, $3::text::numeric, decode($4::text, 'hex'))
  ON CONFLICT (global_id, account) DO UPDATE SET lt = EXCLUDED.lt, hash = EXCLUDED.hash
    WHERE standing.lt < EXCLUDED.lt`,
)
