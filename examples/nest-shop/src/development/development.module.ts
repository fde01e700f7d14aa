import { Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'
import { OrdersModule } from '../orders/orders.module.js'
import { DevelopmentGateway, GATEWAY_SECRET } from './development-gateway.js'
import { SimulationController } from './simulation.controller.js'

/** Lets order pages play the gateway. Left out in production. */
@Module({})
export class DevelopmentModule {
  static register(secret: string): DynamicModule {
    return {
      module: DevelopmentModule,
      imports: [OrdersModule],
      controllers: [SimulationController],
      providers: [DevelopmentGateway, { provide: GATEWAY_SECRET, useValue: secret }],
      exports: [DevelopmentGateway],
    }
  }
}
