import {
  BadRequestException,
  Body,
  Controller,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Post,
  Sse,
} from '@nestjs/common'
import { isTonplugError, type Invoice, type Payments } from '@tonplug/core'
import { InjectPayments, InvoiceService, orderStatusStream } from '@tonplug/nestjs'
import type { PostgresOrderRepository } from '@tonplug/postgres'
import { expiryOf, type ShopSettings } from '../shop.js'
import { tonConnectRequest, type TonConnectRequest } from '../ton-connect-request.js'
import { ORDERS, SETTINGS } from './tokens.js'

/** The routes of the checkout page. */
@Controller('orders')
export class OrdersController {
  constructor(
    @Inject(SETTINGS) private readonly settings: ShopSettings,
    @Inject(ORDERS) private readonly orders: PostgresOrderRepository,
    @InjectPayments() private readonly payments: Payments,
    private readonly invoices: InvoiceService,
  ) {}

  @Post()
  async create(@Body('coin') coin: string): Promise<Invoice> {
    const price = this.settings.prices.get(coin)
    if (price === undefined) throw new BadRequestException('unknown coin')
    const invoice = await this.invoices.create({ ...price, expiresAt: expiryOf() })
    await this.orders.create({ ...invoice.order, data: { item: 'Postcard' } })
    return invoice
  }

  @Sse(':reference/events')
  events(@Param('reference') reference: string) {
    return orderStatusStream(this.payments, reference)
  }

  @Post(':reference/ton-connect')
  @HttpCode(200)
  async tonConnect(
    @Param('reference') reference: string,
    @Body('sender') sender: unknown,
  ): Promise<TonConnectRequest> {
    const order = await this.orders.find({ reference })
    const request = await tonConnectRequest(order, sender, (options) =>
      this.invoices.create(options),
    ).catch(refuse)
    if (request === undefined) throw new NotFoundException('no open order')
    return request
  }
}

function refuse(error: unknown): never {
  const isInvalid = isTonplugError(error) && error.code === 'ERR_TONPLUG_ADDRESS'
  throw isInvalid ? new BadRequestException('sender must be an address') : error
}
