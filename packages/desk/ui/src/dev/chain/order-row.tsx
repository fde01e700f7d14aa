import type { Ref } from 'preact'
import { Badge } from '../../components/badge.js'
import { CopyableCode } from '../../components/copyable-code.js'
import { Disclosure } from '../../components/disclosure.js'
import { Facts } from '../../components/facts.js'
import { Timestamp } from '../../components/timestamp.js'
import { shorten } from '../../text/hash.js'
import { amountText, type OpenOrder } from '../state.js'
import { PayButtons } from './pay-buttons.js'
import { PaymentList } from './payment-list.js'
import { describeStatus } from './shop-statuses.js'

/** An order with its newest status at the shop, and when it is open, the ways to pay it and its payments. */
export function OrderRow({
  order,
  ...disclosure
}: {
  order: OpenOrder
  isOpen: boolean
  onToggle: () => void
  headRef?: Ref<HTMLButtonElement>
}) {
  const { id, reference, recipient, expiresAtMs, link, payments, shop } = order
  const { name, tone, text } = describeStatus(shop)
  const head = (
    <>
      <strong class="number">{amountText(order)}</strong>
      <Badge tone={tone}>{`shop: ${name}`}</Badge>
      <code class="short" title={reference ?? undefined}>
        {reference === null ? 'no comment' : shorten(reference)}
      </code>
    </>
  )
  return (
    <li class="row" data-reference={reference}>
      <Disclosure head={head} {...disclosure}>
        <PayButtons id={id} canBeLate={expiresAtMs !== null} />
        {reference !== null && <p class={shop.problem === null ? 'hint' : 'problem'}>{text}</p>}
        <PaymentList payments={payments} />
        <Facts
          facts={[
            ['Reference', reference && <CopyableCode name="the reference" value={reference} />],
            ['Recipient', <CopyableCode name="the recipient" value={recipient} />],
            ['Expires', expiresAtMs === null ? 'never' : <Timestamp atMs={expiresAtMs} />],
            ['Link', <CopyableCode name="the link" value={link} />],
          ]}
        />
      </Disclosure>
    </li>
  )
}
