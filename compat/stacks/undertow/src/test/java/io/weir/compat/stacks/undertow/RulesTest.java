package io.weir.compat.stacks.undertow;

import io.weir.compat.rules.ServletRuleSuite;

class RulesTest extends ServletRuleSuite implements UndertowServer {}
