import type { RecordedAction, Report } from '../inbox/inbox.js'
import { explainRules, type RuleVerdict } from '../orders/decide.js'
import type { Order } from '../orders/order.js'
import { readStoredTransfer } from '../orders/payload.js'
import { withJson } from '../shared/with-json.js'
import { keyOf, type DecideOptions } from './decide-report.js'
import { withRecordedPayment } from './recorded-payment.js'

/** See `Payments.explain`. @throws {RepositoryError} when a store fails. */
export async function explainReport<O extends Order>(
  options: DecideOptions<O> & { name: string },
  reportId: string,
): Promise<
  | {
      /** As received. */
      rawBody: string
      /** The name of the secret that signed it; `''` for reports that are not webhooks. */
      signedWith: string
      order: O | null
      /** Empty for an unreadable report. */
      rules: RuleVerdict[]
      /** Actions of operators, newest first; attachments and refunds are reports of their own. */
      actions: RecordedAction[]
    }
  | undefined
> {
  const { inbox, orders, name } = options
  const report = await inbox.find(reportId)
  if (report?.name !== name) return undefined
  const order = await orders.find(keyOf(report))
  const reportIds = [reportId]
  const actions = await inbox.listActions({ reportIds })
  const { rawBody, signedWith } = report
  const rules = verdictsOf(options, report, await withRecordedPayment(inbox, report, order))
  return withJson({ rawBody, signedWith, order, rules, actions })
}

function verdictsOf<O extends Order>(
  { wallets, acceptAmount, rules }: DecideOptions<O>,
  { problem, rawBody, txHash, wasCompletedBefore, source }: Report,
  order: O | null,
): RuleVerdict[] {
  if (problem !== undefined) return []
  const transfer = readStoredTransfer(rawBody)
  const facts = { order, transfer, txHash, wasCompletedBefore, source }
  return explainRules<O>({ ...facts, wallets, acceptAmount, rules })
}
