import {
  BadRequestException,
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Post,
  Sse,
} from '@nestjs/common'
import type { InvoiceWithOffers, PayableOffer, Payments } from '@tonplug/core'
import { InjectPayments, InvoiceService, orderStatusStream, V3Service } from '@tonplug/nestjs'
import type { PostgresOrderRepository } from '@tonplug/postgres'
import type { ShopSettings } from '../shop.js'
import {
  findOrder,
  findRest,
  isAddressError,
  receiptOf,
  tonConnectRequest,
  type Receipt,
  type TonConnectRequest,
} from '../stored-order.js'
import { ORDERS, SETTINGS } from './tokens.js'

/** The routes of the checkout page. */
@Controller('orders')
export class OrdersController {
  constructor(
    @Inject(SETTINGS) private readonly settings: ShopSettings,
    @Inject(ORDERS) private readonly orders: PostgresOrderRepository,
    @InjectPayments() private readonly payments: Payments,
    private readonly invoices: InvoiceService,
    private readonly v3: V3Service,
  ) {}

  @Post()
  async create(): Promise<InvoiceWithOffers> {
    const invoice = await this.invoices.create(this.settings.pricing)
    await this.orders.create({ ...invoice.order, data: { item: 'Postcard' } })
    return invoice
  }

  @Get(':reference')
  async find(@Param('reference') reference: string): Promise<Receipt> {
    const order = await findOrder(this.orders, reference)
    if (order === null) throw new NotFoundException('no such order')
    return receiptOf(order, this.settings.explorer)
  }

  @Sse(':reference/events')
  events(@Param('reference') reference: string) {
    return orderStatusStream(this.payments, reference)
  }

  /** Returns the rest of a partially paid order. */
  @Get(':reference/rest')
  async rest(@Param('reference') reference: string): Promise<PayableOffer> {
    const { payments, v3 } = this
    const rest = await findRest({ payments, reference, v3 })
    if (rest === undefined) throw new NotFoundException('nothing to pay')
    return rest
  }

  @Post(':reference/ton-connect')
  @HttpCode(200)
  async tonConnect(
    @Param('reference') reference: string,
    @Body() body: { sender?: unknown; asset?: unknown } | undefined,
  ): Promise<TonConnectRequest> {
    const order = await findOrder(this.orders, reference)
    const request = await tonConnectRequest(order, body, (stored) =>
      this.invoices.create(stored),
    ).catch(refuse)
    if (request === undefined) throw new NotFoundException('no open order')
    return request
  }
}

function refuse(error: unknown): never {
  throw isAddressError(error) ? new BadRequestException('sender must be an address') : error
}
