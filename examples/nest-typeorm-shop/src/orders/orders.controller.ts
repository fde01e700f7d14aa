import { randomUUID } from 'node:crypto'
import { Body, Controller, Get, NotFoundException, Param, Post } from '@nestjs/common'
import type { Payments } from '@tonplug/core'
import { InjectPayments } from '@tonplug/nestjs'
import { DataSource } from 'typeorm'
import { Parcels } from '../payments/parcels.js'
import { OrderEntity } from './order.entity.js'

const PRICES_IN_NANOTON: Partial<Record<string, bigint>> = {
  cap: 10_500_000_000n,
  sticker: 300_000_000n,
}

/** Routes for buying and for the status of an order. */
@Controller('orders')
export class OrdersController {
  constructor(
    private readonly source: DataSource,
    private readonly parcels: Parcels,
    @InjectPayments() private readonly payments: Payments,
  ) {}

  @Post()
  async create(@Body('item') item: string): Promise<object> {
    const rawAmount = PRICES_IN_NANOTON[item]
    if (rawAmount === undefined) throw new NotFoundException('no such item')
    // A real shop creates the transfer at the gateway here, and stores its reference and body hash.
    const reference = randomUUID()
    const order = { reference, item, rawAmount, asset: 'TON', status: 'pending' as const }
    await this.source.manager.insert(OrderEntity, { ...order, createdAt: new Date() })
    // The webhook may have arrived before the order was stored.
    await this.payments.orderCreated(reference)
    return { reference, rawAmount: rawAmount.toString(), asset: 'TON' }
  }

  @Get(':reference')
  async show(@Param('reference') reference: string): Promise<object> {
    const order = await this.source.manager.findOneBy(OrderEntity, { reference })
    if (order === null) throw new NotFoundException('no such order')
    const { item, status } = order
    return { reference, item, status, parcels: await this.parcels.count(reference) }
  }
}
