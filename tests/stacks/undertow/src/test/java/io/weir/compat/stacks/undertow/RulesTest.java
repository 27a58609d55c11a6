package io.weir.compat.stacks.undertow;

import io.weir.compat.rules.ServletRuleSuite;
import io.weir.seeds.RunOneIn;

@RunOneIn(5)
class RulesTest extends ServletRuleSuite implements UndertowServer {}
