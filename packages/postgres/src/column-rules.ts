import { canonicalAsset, NATIVE_ASSET } from '@tonplug/core'
import type { OrderField } from './order-mapping.js'

/** The types that a column of an order may have. */
interface ColumnRule {
  accepts: RegExp
  /** Completes "it must be …". */
  expected: string
  /** The type of a column that is added. */
  added: string
}

const ANY_TEXT = /^(?:text|character varying(?:\(\d+\))?)$/
const TEXT: ColumnRule = { accepts: ANY_TEXT, expected: 'text or varchar', added: 'text' }
const KEY: ColumnRule = {
  accepts: /^(?:text|character varying(?:\(\d+\))?|uuid|smallint|integer|bigint)$/,
  expected: 'text, varchar, uuid or an integer type',
  added: 'text',
}
/** Read as text; constants of the type are written without a cast. */
const ANY: ColumnRule = { accepts: /./, expected: 'any type', added: 'text' }
const JSON_TEXT: ColumnRule = {
  accepts: /^(?:jsonb|json|text)$/,
  expected: 'jsonb, json or text',
  added: 'jsonb',
}
const AMOUNT = { added: 'numeric(78, 0)' }
/** Jettons reach 2^120, which has 37 digits. */
const JETTON_AMOUNT: ColumnRule = {
  ...AMOUNT,
  accepts: /^numeric(?:\((?:3[7-9]|[4-9]\d|\d{3,}),0\))?$/,
  expected: 'numeric(78, 0) with whole base units, since jetton amounts reach 2^120',
}
/** All nanotons together have 19 digits. */
const NATIVE_AMOUNT: ColumnRule = {
  ...AMOUNT,
  accepts: /^(?:bigint|numeric(?:\((?:19|[2-9]\d|\d{3,}),0\))?)$/,
  expected: 'numeric(78, 0) or bigint with whole nanotons',
}

const RULES: Record<Exclude<OrderField, 'rawAmount'>, ColumnRule> = {
  reference: KEY,
  merchant: { ...KEY, added: "text NOT NULL DEFAULT ''" },
  status: ANY,
  asset: ANY,
  recipient: ANY,
  payment: JSON_TEXT,
  failure: JSON_TEXT,
  offers: JSON_TEXT,
  bodyBase64Hash: TEXT,
  paymentTxHash: TEXT,
  failureTxHash: TEXT,
  createdAt: {
    accepts: /^timestamp/,
    expected: 'timestamptz, or timestamp in UTC',
    added: 'timestamptz NOT NULL DEFAULT now()',
  },
}

/** Returns the rule of a column. @param asset the asset of all orders; `undefined` for a column of assets */
export function ruleOf(field: OrderField, asset: string | undefined): ColumnRule {
  if (field !== 'rawAmount') return RULES[field]
  const isNative = asset !== undefined && canonicalAsset(asset) === NATIVE_ASSET
  return isNative ? NATIVE_AMOUNT : JETTON_AMOUNT
}
