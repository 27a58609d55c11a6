package io.weir.compat.stacks.spring;

import io.weir.seeds.DeepOnly;

@DeepOnly
class NettyRulesTest extends SpringRuleChecks {
  NettyRulesTest() {
    super("WebFlux on Netty", NettyMain.class, Libraries.netty());
  }
}
