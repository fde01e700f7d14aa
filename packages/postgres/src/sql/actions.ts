import { NOW, statement, toMs } from './statement.js'

/** Without a row for a report that is unknown. */
export const recordAction = statement(
  'inbox.reports.recordAction',
  `INSERT INTO tonplug.actions (report_id, action, operator, note, acted_at)
  SELECT id, $2::text, $3::text, $4::text, ${NOW} FROM tonplug.reports WHERE id = $1::text::bigint`,
)

/** $1 is a JSON list of reports' ids. */
export const listActions = statement(
  'inbox.reports.listActions',
  `SELECT report_id::text AS report_id, action, operator, note, ${toMs('acted_at')} AS acted_ms
  FROM tonplug.actions
  WHERE report_id = ANY (ARRAY(SELECT jsonb_array_elements_text($1::text::jsonb)::bigint))
  ORDER BY id DESC`,
)
