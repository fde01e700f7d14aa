import { fromMs, LONG_MS, statement } from './statement.js'

/** The uses of a credit that have not ended. */
const USES = 'SELECT u.name FROM tonplug.uses u WHERE u.credit_id = c.id AND u.released_at IS NULL'

/** $1 is the name, $2 and $3 are the period in milliseconds. Block times are whole seconds. */
export const sumCredits = statement(
  'inbox.sums',
  `SELECT c.asset, sum(c.raw_amount)::text AS raw_amount, count(*)::text AS count
  FROM tonplug.credits c
  WHERE c.raw_amount IS NOT NULL
    AND c.utime >= ceil($2::text::numeric / 1000)::bigint
    AND c.utime < ceil($3::text::numeric / 1000)::bigint
    AND (
      c.name = $1::text
      OR EXISTS (SELECT FROM (${USES}) own WHERE own.name = $1::text)
      OR (c.name IS NULL AND NOT EXISTS (${USES}))
    )
  GROUP BY c.asset
  ORDER BY c.asset COLLATE "C"`,
  LONG_MS,
)

/** A price that the shop stored; null for anything else than a decimal number. */
const PRICE = `CASE WHEN decision #>> '{offer,rate,orderPrice}' ~ '^[0-9]{1,80}([.][0-9]{1,80})?$'
  THEN (decision #>> '{offer,rate,orderPrice}')::numeric END`

/** The parameters are as in `sumCredits`; the row without a currency counts the orders without a price. */
export const sumPrices = statement(
  'inbox.sums',
  `WITH paid AS (
    SELECT ${PRICE} AS price, decision #>> '{offer,rate,currency}' AS currency
    FROM tonplug.reports
    WHERE name = $1::text AND state = 'decided' AND decision->>'kind' = 'paid'
      AND received_at >= ${fromMs('$2')} AND received_at < ${fromMs('$3')}
  ), priced AS (
    SELECT price, CASE WHEN price IS NOT NULL THEN coalesce(currency, '') END AS currency FROM paid
  )
  SELECT currency, trim_scale(sum(price))::text AS price, count(*)::text AS count
  FROM priced
  GROUP BY currency
  ORDER BY currency COLLATE "C"`,
  LONG_MS,
)
