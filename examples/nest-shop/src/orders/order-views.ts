import { Inject, Injectable, Optional } from '@nestjs/common'
import type { OrderStatus } from '@tonplug/core'
import { TransferEvents } from '@tonplug/nestjs'
import { last, merge, of, share, switchMap, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { DevelopmentGateway, simulations } from '../development/development-gateway.js'
import type { Simulation } from '../development/development-gateway.js'
import { Shipping } from '../payments/shipping.js'
import type { Shipment } from '../payments/shipping.js'
import { Journal } from './journal.js'
import type { JournalEntry } from './journal.js'
import { formatAmount } from './money.js'
import { ORDERS } from './orders.module.js'
import type { ShopOrder, ShopOrders } from './shop-order.js'

/** An order as its page shows it; plain JSON. */
export interface OrderView {
  reference: string
  product: string
  /** For people, as `'6.5 TON'`. */
  amount: string
  status: OrderStatus
  /** The transaction that paid the order. */
  txHash: string | null
  journal: readonly JournalEntry[]
  shipments: readonly Shipment[]
  /** What the page can make happen; empty in production. */
  simulations: readonly Simulation[]
}

/** Puts an order together from the shop's stores, once or whenever it changes. */
@Injectable()
export class OrderViews {
  constructor(
    @Inject(ORDERS) private readonly orders: ShopOrders,
    private readonly journal: Journal,
    private readonly shipping: Shipping,
    private readonly transferEvents: TransferEvents,
    @Optional() private readonly gateway?: DevelopmentGateway,
  ) {}

  view(order: ShopOrder): OrderView {
    const { reference, product, rawAmount, status, payment } = order
    return {
      reference,
      product: product.name,
      amount: formatAmount(rawAmount, product.currency),
      status,
      txHash: payment?.txHash ?? null,
      journal: this.journal.list(reference),
      shipments: this.shipping.list(reference),
      simulations: this.gateway === undefined ? [] : simulations,
    }
  }

  /** The order as it stands, then again after each decision about it and each thing that a handler did. */
  watch(order: ShopOrder): Observable<OrderView> {
    const { reference } = order
    const decisions = this.transferEvents.decisions({ reference }).pipe(share())
    // tonplug ends its streams when the app shuts down; the journal's ends with them.
    const shutdown = decisions.pipe(last(null, null))
    const entries = this.journal.changes(reference).pipe(takeUntil(shutdown))
    return merge(decisions, entries, of(order)).pipe(
      switchMap(async () => this.view((await this.orders.findByReference(reference)) ?? order)),
    )
  }
}
