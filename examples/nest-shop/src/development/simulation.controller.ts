import { BadRequestException, Body, Controller, HttpCode, Param, Post } from '@nestjs/common'
import { OrderPipe } from '../orders/order.pipe.js'
import type { ShopOrder } from '../orders/shop-order.js'
import { DevelopmentGateway, simulations } from './development-gateway.js'

/** Lets the order page choose what the gateway reports. */
@Controller('orders/:reference/simulate')
export class SimulationController {
  constructor(private readonly gateway: DevelopmentGateway) {}

  @Post()
  @HttpCode(200)
  async simulate(
    @Param('reference', OrderPipe) order: ShopOrder,
    @Body('outcome') outcome: unknown,
  ): Promise<{ statuses: (number | null)[] }> {
    const simulation = simulations.find((known) => known === outcome)
    if (simulation === undefined) {
      const choices = simulations.join(', ')
      throw new BadRequestException(`Send JSON with "outcome" set to one of: ${choices}`)
    }
    return { statuses: await this.gateway.simulate(order, simulation) }
  }
}
