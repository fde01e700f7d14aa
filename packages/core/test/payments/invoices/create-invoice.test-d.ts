import { createInvoice, type Invoice, type Order } from '@tonplug/core'
import type { CreatedTransfer } from '@tonplug/core/toncenter'

declare const invoice: Invoice
declare const transfer: CreatedTransfer

invoice.order satisfies Order
transfer satisfies Invoice

void createInvoice({ wallet: 'UQ', asset: 'TON', amount: '1' })
void createInvoice({ wallet: 'UQ', asset: 'TON', rawAmount: 1n })
// @ts-expect-error no amount
void createInvoice({ wallet: 'UQ', asset: 'TON' })
// @ts-expect-error two amounts
void createInvoice({ wallet: 'UQ', asset: 'TON', amount: '1', rawAmount: 1n })
// @ts-expect-error a number, which may lose digits
void createInvoice({ wallet: 'UQ', asset: 'TON', amount: 1 })
