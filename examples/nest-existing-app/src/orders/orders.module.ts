import { Global, Module } from '@nestjs/common'
import { OrdersController } from './orders.controller'
import { OrdersRepository } from './orders.repository'
import { OrdersService } from './orders.service'
import { TransfersService } from './transfers.service'
import { WarehouseService } from './warehouse.service'

/** Global, since the whole back office works with the repository. */
@Global()
@Module({
  controllers: [OrdersController],
  providers: [OrdersRepository, OrdersService, TransfersService, WarehouseService],
  exports: [OrdersRepository],
})
export class OrdersModule {}
