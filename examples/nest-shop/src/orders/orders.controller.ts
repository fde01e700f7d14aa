import { Body, Controller, Get, Header, Param, Post, Sse } from '@nestjs/common'
import type { MessageEvent } from '@nestjs/common'
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import { catalogue } from './catalogue.js'
import type { Product } from './catalogue.js'
import { Checkout } from './checkout.js'
import { formatAmount } from './money.js'
import { OrderViews } from './order-views.js'
import type { OrderView } from './order-views.js'
import { OrderPipe } from './order.pipe.js'
import { ProductPipe } from './product.pipe.js'
import type { ShopOrder } from './shop-order.js'

/** The catalogue, buying, and an order's data and live events. */
@Controller()
export class OrdersController {
  constructor(
    private readonly checkout: Checkout,
    private readonly views: OrderViews,
  ) {}

  @Get('products')
  listProducts(): object[] {
    return catalogue.map(({ id, name, description, rawAmount, currency }) => {
      return { id, name, description, price: formatAmount(rawAmount, currency) }
    })
  }

  @Post('orders')
  async buy(@Body('product', ProductPipe) product: Product): Promise<OrderView> {
    return this.views.view(await this.checkout.placeOrder(product))
  }

  @Get('orders/:reference')
  @Header('cache-control', 'no-store')
  show(@Param('reference', OrderPipe) order: ShopOrder): OrderView {
    return this.views.view(order)
  }

  @Sse('orders/:reference/events')
  watch(@Param('reference', OrderPipe) order: ShopOrder): Observable<MessageEvent> {
    return this.views.watch(order).pipe(map((data) => ({ type: 'order', data })))
  }
}
