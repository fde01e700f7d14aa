import { IsIn, IsInt, Max, Min } from 'class-validator'
import { PRICES } from './prices'

export class CreateOrderDto {
  @IsIn(Object.keys(PRICES))
  sku!: string

  @IsInt()
  @Min(1)
  @Max(20)
  quantity!: number
}
