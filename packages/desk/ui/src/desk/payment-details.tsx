import type { Session, StoryOrder, StoryPayment, StoryReport } from '../../../src/api.js'
import { CodeBlock } from '../components/code-block.js'
import { CopyableCode } from '../components/copyable-code.js'
import { Facts } from '../components/facts.js'
import { factsOf } from '../components/field-value.js'
import { Timestamp } from '../components/timestamp.js'
import { formatAmount } from '../text/amount.js'
import { explorerLink } from './explorer-link.js'
import { RuleTable } from './rule-table.js'

/** Fields of an order for developers, or that the page shows elsewhere. */
const HIDDEN = new Set(['payment', 'failure', 'offers', 'bodyBase64Hash', 'recipient', 'expiresAt'])

/** The fields of an order. */
export function OrderDetails({ order }: { order: StoryOrder }) {
  const { reference, merchant, status, expectedAmount, details, createdAtMs, expiresAtMs } = order
  const own = Object.entries(details).filter(([name]) => !HIDDEN.has(name))
  return (
    <details class="card">
      <summary>Order</summary>
      <Facts
        facts={[
          ['Reference', <CopyableCode name="the reference" value={reference} />],
          ['Merchant', merchant],
          ['Status', status === 'completed' ? 'paid' : status],
          ['Price', formatAmount({ ...order, amount: expectedAmount })],
          ['Created', createdAtMs > 0 && <Timestamp atMs={createdAtMs} />],
          ['Expires', expiresAtMs !== undefined && <Timestamp atMs={expiresAtMs} />],
          ...factsOf(Object.fromEntries(own)),
        ]}
      />
    </details>
  )
}

/** The facts of a payment, its checks, and what the sources sent. */
export function PaymentDetails({
  payment,
  reports,
  network,
}: {
  payment: StoryPayment
  reports: readonly StoryReport[]
  network: Session['network']
}) {
  const { amount, sender, recipient, comment, txHash, paidAtMs, heardAtMs, situation } = payment
  const link = explorerLink(txHash, network)
  const own = reports.filter(({ reportId }) => payment.reportIds.includes(reportId))
  const rules = own.find(({ reportId }) => reportId === payment.reportId)?.rules
  return (
    <details class="card">
      <summary>
        Details of the payment of {amount ?? 'an unknown amount'} ({situation.name})
      </summary>
      <Facts
        facts={[
          ['Customer paid', paidAtMs !== undefined && <Timestamp atMs={paidAtMs} />],
          ['Shop heard of it', <Timestamp atMs={heardAtMs} />],
          ['From', sender && <CopyableCode name="the sender" value={sender} />],
          ['To', recipient && <CopyableCode name="the wallet" value={recipient} />],
          ['Comment', comment],
          ['Transaction', txHash && <CopyableCode name="the transaction" value={txHash} />],
          [
            'Explorer',
            link && (
              <a href={link} target="_blank" rel="noreferrer">
                Show the transaction on tonviewer.com
              </a>
            ),
          ],
        ]}
      />
      {rules && <RuleTable rules={rules} />}
      {own.map((report) => (
        <Message key={report.reportId} report={report} />
      ))}
    </details>
  )
}

const SOURCES: Readonly<Record<string, string>> = {
  chain: 'As the chain shows it',
  webhook: 'Message of the payment gateway',
  gateway: 'As the payment gateway shows it',
  operator: 'As an operator stored it',
}

function Message({
  report: { source, body, signedWith, problem, proof },
}: {
  report: StoryReport
}) {
  const name = SOURCES[source] ?? source
  return (
    <details class="message">
      <summary>{name}</summary>
      <Facts
        facts={[
          ['Problem', problem],
          ['Signed with', signedWith],
          [
            'Proof',
            proof && [proof.verdict.replaceAll('_', ' '), proof.reason].filter(Boolean).join(': '),
          ],
        ]}
      />
      <CodeBlock name={name} text={body} />
    </details>
  )
}
