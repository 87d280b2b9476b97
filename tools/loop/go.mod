module slipway/tools/loop

go 1.26.0
