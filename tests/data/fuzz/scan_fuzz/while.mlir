module @jit_while_rnn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @empty_mesh = <[]> {stablehlo.mesh = {axes = []}}
  func.func public @main(%arg0: tensor<64x20x100xf32> {sdy.sharding = #sdy.sharding<@empty_mesh, [{}, {}, {}]>}, %arg1: tensor<20x300xf32> {sdy.sharding = #sdy.sharding<@empty_mesh, [{}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@empty_mesh, []>}, tensor<64x20x100xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@empty_mesh, [{}, {}, {}]>}) {
    %cst = stablehlo.constant dense<0.00999999977> : tensor<100x300xf32>
    %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<300x300xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<64x20x300xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<64x20x300xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<64x20x300xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:8 = stablehlo.while(%iterArg = %arg0, %iterArg_9 = %cst, %iterArg_10 = %cst_0, %iterArg_11 = %c, %iterArg_12 = %arg1, %iterArg_13 = %0, %iterArg_14 = %1, %iterArg_15 = %2) : tensor<64x20x100xf32>, tensor<100x300xf32>, tensor<300x300xf32>, tensor<i32>, tensor<20x300xf32>, tensor<64x20x300xf32>, tensor<64x20x300xf32>, tensor<64x20x300xf32>
    cond {
      %c_16 = stablehlo.constant dense<64> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_11, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_11) : (tensor<64x20x100xf32>, tensor<i32>) -> tensor<20x100xf32>
      %10:4 = func.call @closed_call(%iterArg_9, %iterArg_10, %iterArg_12, %9) : (tensor<100x300xf32>, tensor<300x300xf32>, tensor<20x300xf32>, tensor<20x100xf32>) -> (tensor<20x300xf32>, tensor<20x300xf32>, tensor<20x300xf32>, tensor<20x300xf32>)
      %11 = func.call @dynamic_update_index_in_dim(%iterArg_13, %10#1, %iterArg_11) : (tensor<64x20x300xf32>, tensor<20x300xf32>, tensor<i32>) -> tensor<64x20x300xf32>
      %12 = func.call @dynamic_update_index_in_dim(%iterArg_14, %10#2, %iterArg_11) : (tensor<64x20x300xf32>, tensor<20x300xf32>, tensor<i32>) -> tensor<64x20x300xf32>
      %13 = func.call @dynamic_update_index_in_dim(%iterArg_15, %10#3, %iterArg_11) : (tensor<64x20x300xf32>, tensor<20x300xf32>, tensor<i32>) -> tensor<64x20x300xf32>
      %c_16 = stablehlo.constant dense<1> : tensor<i32>
      %14 = stablehlo.add %iterArg_11, %c_16 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_9, %iterArg_10, %14, %10#0, %11, %12, %13 : tensor<64x20x100xf32>, tensor<100x300xf32>, tensor<300x300xf32>, tensor<i32>, tensor<20x300xf32>, tensor<64x20x300xf32>, tensor<64x20x300xf32>, tensor<64x20x300xf32>
    }
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3#5 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x20x300xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<64x20x300xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<20x300xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<64x20x100xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %8:8 = stablehlo.while(%iterArg = %5, %iterArg_9 = %3#6, %iterArg_10 = %3#7, %iterArg_11 = %cst, %iterArg_12 = %cst_0, %iterArg_13 = %c_8, %iterArg_14 = %6, %iterArg_15 = %7) : tensor<64x20x300xf32>, tensor<64x20x300xf32>, tensor<64x20x300xf32>, tensor<100x300xf32>, tensor<300x300xf32>, tensor<i32>, tensor<20x300xf32>, tensor<64x20x100xf32>
    cond {
      %c_16 = stablehlo.constant dense<64> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_13, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %c_16 = stablehlo.constant dense<64> : tensor<i32>
      %9 = stablehlo.subtract %c_16, %iterArg_13 : tensor<i32>
      %c_17 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.subtract %9, %c_17 : tensor<i32>
      %11 = func.call @dynamic_index_in_dim_0(%iterArg, %10) : (tensor<64x20x300xf32>, tensor<i32>) -> tensor<20x300xf32>
      %12 = func.call @dynamic_index_in_dim_0(%iterArg_9, %10) : (tensor<64x20x300xf32>, tensor<i32>) -> tensor<20x300xf32>
      %13 = func.call @dynamic_index_in_dim_0(%iterArg_10, %10) : (tensor<64x20x300xf32>, tensor<i32>) -> tensor<20x300xf32>
      %14:2 = func.call @closed_call_1(%iterArg_11, %iterArg_12, %iterArg_14, %11, %12, %13) : (tensor<100x300xf32>, tensor<300x300xf32>, tensor<20x300xf32>, tensor<20x300xf32>, tensor<20x300xf32>, tensor<20x300xf32>) -> (tensor<20x300xf32>, tensor<20x100xf32>)
      %15 = func.call @dynamic_update_index_in_dim_2(%iterArg_15, %14#1, %10) : (tensor<64x20x100xf32>, tensor<20x100xf32>, tensor<i32>) -> tensor<64x20x100xf32>
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %16 = stablehlo.add %iterArg_13, %c_18 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_9, %iterArg_10, %iterArg_11, %iterArg_12, %16, %14#0, %15 : tensor<64x20x300xf32>, tensor<64x20x300xf32>, tensor<64x20x300xf32>, tensor<100x300xf32>, tensor<300x300xf32>, tensor<i32>, tensor<20x300xf32>, tensor<64x20x100xf32>
    }
    return %4, %8#7 : tensor<f32>, tensor<64x20x100xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<64x20x100xf32>, %arg1: tensor<i32>) -> tensor<20x100xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 20, 100] : (tensor<64x20x100xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x20x100xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20x100xf32>) -> tensor<20x100xf32>
    return %1 : tensor<20x100xf32>
  }
  func.func private @closed_call(%arg0: tensor<100x300xf32>, %arg1: tensor<300x300xf32>, %arg2: tensor<20x300xf32>, %arg3: tensor<20x100xf32>) -> (tensor<20x300xf32>, tensor<20x300xf32>, tensor<20x300xf32>, tensor<20x300xf32>) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<20x100xf32>, tensor<100x300xf32>) -> tensor<20x300xf32>
    %1 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<20x300xf32>, tensor<300x300xf32>) -> tensor<20x300xf32>
    %2 = stablehlo.add %0, %1 : tensor<20x300xf32>
    %3 = stablehlo.tanh %2 : tensor<20x300xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x300xf32>
    %5 = stablehlo.subtract %4, %3 : tensor<20x300xf32>
    return %3, %3, %3, %5 : tensor<20x300xf32>, tensor<20x300xf32>, tensor<20x300xf32>, tensor<20x300xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<64x20x300xf32>, %arg1: tensor<20x300xf32>, %arg2: tensor<i32>) -> tensor<64x20x300xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<20x300xf32>) -> tensor<1x20x300xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<64x20x300xf32>, tensor<1x20x300xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<64x20x300xf32>
    return %1 : tensor<64x20x300xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<64x20x300xf32>, %arg1: tensor<i32>) -> tensor<20x300xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 20, 300] : (tensor<64x20x300xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x20x300xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20x300xf32>) -> tensor<20x300xf32>
    return %1 : tensor<20x300xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<100x300xf32>, %arg1: tensor<300x300xf32>, %arg2: tensor<20x300xf32>, %arg3: tensor<20x300xf32>, %arg4: tensor<20x300xf32>, %arg5: tensor<20x300xf32>) -> (tensor<20x300xf32>, tensor<20x100xf32>) {
    %0 = stablehlo.add %arg2, %arg3 : tensor<20x300xf32>
    %1 = stablehlo.multiply %0, %arg5 : tensor<20x300xf32>
    %2 = stablehlo.multiply %1, %arg4 : tensor<20x300xf32>
    %3 = stablehlo.add %1, %2 : tensor<20x300xf32>
    %4 = stablehlo.dot_general %3, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<20x300xf32>, tensor<300x300xf32>) -> tensor<20x300xf32>
    %5 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<20x300xf32>, tensor<100x300xf32>) -> tensor<20x100xf32>
    return %4, %5 : tensor<20x300xf32>, tensor<20x100xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<64x20x100xf32>, %arg1: tensor<20x100xf32>, %arg2: tensor<i32>) -> tensor<64x20x100xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<20x100xf32>) -> tensor<1x20x100xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<64x20x100xf32>, tensor<1x20x100xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<64x20x100xf32>
    return %1 : tensor<64x20x100xf32>
  }
}
