import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common'
import { CreateOrderDto } from './create-order.dto'
import type { OrderView } from './order-view'
import { OrdersService } from './orders.service'

@Controller('orders')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Post()
  create(@Body() order: CreateOrderDto): Promise<OrderView> {
    return this.orders.create(order)
  }

  @Get('open')
  listOpen(): Promise<OrderView[]> {
    return this.orders.listOpen()
  }

  @Get(':reference')
  show(@Param('reference') reference: string): Promise<OrderView> {
    return this.orders.show(reference)
  }

  @Post(':reference/confirm')
  @HttpCode(200)
  confirm(@Param('reference') reference: string): Promise<OrderView> {
    return this.orders.confirm(reference)
  }
}
